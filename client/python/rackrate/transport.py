"""How requests are sent and refusals reported."""
from __future__ import annotations

import json
import os
from typing import Any, Mapping
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class RackrateError(Exception):
    """The service refused a request, or could not be reached."""

    def __init__(self, status: int | None, error: str, message: str, retry_after: int | None = None) -> None:
        super().__init__(f"{status or 'no answer'} {error}: {message}")
        #: The status of the answer, or None when there was none.
        self.status = status
        #: The kind of the refusal, for example "invalid_args".
        self.error = error
        self.message = message
        #: Seconds to wait before the next request, where the service asks for it.
        self.retry_after = retry_after


class Transport:
    """Sends requests with a key. `url` and `key` are RACKRATE_URL and RACKRATE_KEY of the environment unless given."""

    def __init__(self, url: str | None = None, key: str | None = None, timeout: float = 60) -> None:
        self._url = (url or os.environ.get("RACKRATE_URL", "http://127.0.0.1:8080")).rstrip("/")
        self._key = key or os.environ.get("RACKRATE_KEY")
        self._timeout = timeout

    def _call(self, method: str, path: str, query: Mapping[str, Any] | None = None, body: Any = None) -> Any:
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        address = f"{self._url}{path}{'?' + urlencode(given) if given else ''}"
        headers = {"Accept": "application/json, */*;q=0.5"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        sent = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(address, sent, headers, method=method), timeout=self._timeout) as answer:
                content = answer.read()
                is_json = answer.headers.get_content_type() == "application/json"
        except HTTPError as refusal:
            raise _error_of(refusal) from None
        except (URLError, TimeoutError) as cause:
            raise RackrateError(None, "unreachable", str(getattr(cause, "reason", cause))) from cause
        return json.loads(content) if is_json else content


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int, float)) else ",".join(value)


def _error_of(refusal: HTTPError) -> RackrateError:
    wait = refusal.headers.get("Retry-After", "")
    try:
        told = json.loads(refusal.read())
    except ValueError:
        told = {}
    error = told.get("error", "error") if isinstance(told, dict) else "error"
    message = told.get("msg", refusal.reason) if isinstance(told, dict) else refusal.reason
    return RackrateError(refusal.code, error, message, int(wait) if wait.isdigit() else None)
