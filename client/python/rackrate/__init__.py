"""Client of the rackrate API: price and supply history of a GPU rental marketplace."""
from .api import Client
from .frames import to_pandas
from .transport import RackrateError

__all__ = ["Client", "RackrateError", "to_pandas"]
