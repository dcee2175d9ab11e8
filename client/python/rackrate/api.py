# Of the document 7e3e33a9b840d3db28a9d631482f9e80e7961a4f8c34aceb65aa817973937a3e. Written by tools/generate-python.mjs.
from __future__ import annotations

from typing import Any, Literal, NotRequired, Sequence, TypedDict
from urllib.parse import quote

from .transport import Transport

class Permissions(TypedDict):
    api: dict[str, dict[str, Any]]

class GetCurrentUserAnswer(TypedDict):
    id: int
    username: str
    kind: Literal["person", "team"]
    is_host: bool
    is_admin: bool
    has_active_machine: bool
    claimed_sources: list[str]
    claims_first_source: bool
    permissions: Permissions
    key_expires_at: float | None

class GpuHistorySupplyDemand(TypedDict):
    timestamps: list[int]
    bucket_size: int
    total: list[int]
    available: list[int]
    rented_verified: list[int]
    avail_verified: list[int]
    rented_unverified: list[int]
    avail_unverified: list[int]
    total_gpus: list[int]
    rented_verified_gpus: list[int]
    avail_verified_gpus: list[int]
    rented_unverified_gpus: list[int]
    avail_unverified_gpus: list[int]

class GpuHistoryPricing(TypedDict):
    timestamps: list[int]
    rented_p10: list[float | None]
    rented_median: list[float | None]
    rented_p90: list[float | None]
    avail_p10: list[float | None]
    avail_median: list[float | None]
    avail_p90: list[float | None]

class GpuHistoryStats(TypedDict):
    tflops: float | None
    dlperf: float | None
    tflops_per_dollar: float | None
    dlperf_per_dollar: float | None

class GpuHistory(TypedDict):
    supply_demand: GpuHistorySupplyDemand
    pricing: GpuHistoryPricing
    stats: GpuHistoryStats

class GetGpuHistoryAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuHistory]

class CurrentGpu(TypedDict):
    gpu_name: str
    bucket_size: int
    total: int
    available: int
    rented_verified: int
    avail_verified: int
    rented_unverified: int
    avail_unverified: int
    total_gpus: int
    available_gpus: int
    rented_verified_gpus: int
    avail_verified_gpus: int
    rented_unverified_gpus: int
    avail_unverified_gpus: int
    usage: float | None
    usage_30d: float | None
    dlperf: float | None
    tflops: float | None
    price_p10: float | None
    price_p25: float | None
    price_median: float | None
    price_p75: float | None
    price_p90: float | None
    price_change_7d: float | None
    price_thin: bool | None
    rented_p10: float | None
    rented_median: float | None
    rented_p90: float | None
    rented_thin: bool | None
    tflops_per_dollar: float | None
    dlperf_per_dollar: float | None

class GetGpuMarketAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    slot: int | None
    gpus: list[CurrentGpu]

class GpuDepthRented(TypedDict):
    low: list[float]
    high: list[float]
    gpus: list[float]
    unpriced: float

class GpuDepthCheapest(TypedDict):
    average_price: float
    marginal_price: float

class GpuDepth(TypedDict):
    price: list[float]
    available: list[float]
    rented: GpuDepthRented
    cheapest: GpuDepthCheapest | None

class GetGpuDepthAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    slot: int | None
    gpus: dict[str, GpuDepth]

class GpuPrices(TypedDict):
    timestamps: list[int]
    slots: list[int]
    edges: list[float]
    available: list[list[int]]
    rented: list[list[float]]
    rented_unpriced: list[int]

class GetGpuPricesAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuPrices]

class GpuAvailability(TypedDict):
    hours: int
    share: float | None
    duration: list[float | None]

class GetGpuAvailabilityAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuAvailability]

class GpuRevenue(TypedDict):
    timestamps: list[int]
    revpag: list[float | None]
    adr: list[float | None]
    occupancy: list[float | None]
    slots: list[int]

class GetGpuRevenueAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuRevenue]

class PriceIndexRevisions(TypedDict):
    timestamp: int
    edition: int
    reason: str
    published_at: int
    ln_link: float | None
    hash: str

class PriceIndex(TypedDict):
    timestamps: list[int]
    level: list[float | None]
    base: list[int | None]
    ln_link: list[float | None]
    machines: list[int]
    matched_share: list[float]
    drift: list[float | None]
    edition: list[int]
    hash: list[str]
    revisions: list[PriceIndexRevisions]

class GetGpuIndexAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    market: PriceIndex | None
    gpus: dict[str, PriceIndex]

class GpuChurnLife(TypedDict):
    machines: int
    left: int
    median_days: int | None
    days: list[int]
    share: list[float]
    low: list[float]
    high: list[float]

class GpuChurn(TypedDict):
    timestamps: list[int]
    machines: list[int]
    gpus: list[int]
    arrived: list[int | None]
    arrived_gpus: list[int | None]
    left: list[int | None]
    left_gpus: list[int | None]
    life: GpuChurnLife | None

class GetGpuChurnAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuChurn]

class GpuDispersion(TypedDict):
    timestamps: list[int]
    dispersion: list[float | None]
    volatility_24h: list[float | None]
    volatility_7d: list[float | None]

class GetGpuDispersionAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuDispersion]

class MarketEvent(TypedDict):
    at: int
    gpu_name: str
    kind: Literal["price_jump", "supply_drop", "high_occupancy", "low_90d"]
    value: float
    reference: float
    limit: float
    sample: int

class GetGpuEventsAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    events: list[MarketEvent]
    next_token: str | None

class FillEstimate(TypedDict):
    value: float | None
    low: float | None
    high: float | None

class GpuFillPositions(TypedDict):
    position: int
    price_low: float | None
    price_high: float | None
    exposure_gpu_hours: float
    rentals: int
    withdrawn: int
    fill_rate: FillEstimate
    hours_to_rent: float | None
    occupancy: float | None
    reason: Literal["few_rentals", "little_exposure"] | None

class GpuFillAll(TypedDict):
    price_low: float | None
    price_high: float | None
    exposure_gpu_hours: float
    rentals: int
    withdrawn: int
    fill_rate: FillEstimate
    hours_to_rent: float | None
    occupancy: float | None
    reason: Literal["few_rentals", "little_exposure"] | None

GpuFill = TypedDict("GpuFill", {"from": "int", "to": "int", "slots": "int", "held_gpu_hours": "float", "returns": "int", "return_rate": "FillEstimate", "positions": "list[GpuFillPositions]", "all": "GpuFillAll", "reason": "Literal['few_rentals', 'little_exposure'] | None"})

class GetGpuFillAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuFill]

class GpuFillByTermsMinGpus(TypedDict):
    min_gpus: int | None
    price_low: float | None
    price_high: float | None
    exposure_gpu_hours: float
    rentals: int
    withdrawn: int
    fill_rate: FillEstimate
    hours_to_rent: float | None
    occupancy: float | None
    reason: Literal["few_rentals", "little_exposure"] | None
    return_rate: FillEstimate

class GpuFillByTermsDaysLeft(TypedDict):
    from_days: int | None
    to_days: int | None
    price_low: float | None
    price_high: float | None
    exposure_gpu_hours: float
    rentals: int
    withdrawn: int
    fill_rate: FillEstimate
    hours_to_rent: float | None
    occupancy: float | None
    reason: Literal["few_rentals", "little_exposure"] | None
    return_rate: FillEstimate

GpuFillByTerms = TypedDict("GpuFillByTerms", {"from": "int", "to": "int", "slots": "int", "min_gpus": "list[GpuFillByTermsMinGpus]", "days_left": "list[GpuFillByTermsDaysLeft]"})

class GetGpuFillByTermsAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuFillByTerms]

GpuTimeToRent = TypedDict("GpuTimeToRent", {"from": "int", "to": "int", "spells": "int", "rented": "int", "median_hours": "float | None", "hours": "list[float]", "share": "list[float]", "low": "list[float]", "high": "list[float]"})

class GetGpuTimeToRentAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuTimeToRent]

class GpuThin(TypedDict):
    timestamps: list[int]
    rented_thin: list[bool | None]
    avail_thin: list[bool | None]

class GetThinGpuPricesAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GpuThin]

class ForecastRecord(TypedDict):
    forecasts: int
    coverage: float | None
    error_ratio: float | None

class ForecastFigure(TypedDict):
    hours: int
    at: int | None
    now: float | None
    value: float | None
    low: float | None
    high: float | None
    record: ForecastRecord
    kept: ForecastRecord

class AvailabilityRecord(TypedDict):
    forecasts: int
    coverage: float | None
    error_ratio: float | None
    probability: float | None
    met: float | None

class GetGpuForecastAnswerGpusAvailableFigures(TypedDict):
    hours: int
    at: int | None
    now: float | None
    value: float | None
    low: float | None
    high: float | None
    record: AvailabilityRecord
    kept: AvailabilityRecord
    probability: float | None

class GetGpuForecastAnswerGpusAvailable(TypedDict):
    gpus: int
    price: float | None
    figures: list[GetGpuForecastAnswerGpusAvailableFigures]

class GetGpuForecastAnswerGpus(TypedDict):
    rented_median: list[ForecastFigure]
    avail_median: list[ForecastFigure]
    occupancy: list[ForecastFigure]
    available: GetGpuForecastAnswerGpusAvailable

class GetGpuForecastAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    gpus: dict[str, GetGpuForecastAnswerGpus]

class TermDistribution(TypedDict):
    machines: int
    p10: float | None
    median: float | None
    p90: float | None
    reason: Literal["not_known", "few_machines", "few_hosts"] | None

class GpuTerms(TypedDict):
    machines: int
    min_bid: TermDistribution
    end_date: TermDistribution
    credit_discount_max: TermDistribution
    reliability: TermDistribution
    storage_cost: TermDistribution
    inet_up_cost: TermDistribution
    inet_down_cost: TermDistribution

class GetGpuTermsAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    slot: int | None
    gpus: dict[str, GpuTerms]

class GpuLocation(TypedDict):
    gpu_name: str
    city: str
    country_code: str
    num_gpus: int
    rented: bool
    verified: bool
    datacenter: bool
    latitude: float | None
    longitude: float | None

class GetGpuLocationsAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    locations: list[GpuLocation]

class ListGpuNamesAnswerNames(TypedDict):
    name: str
    machines: int
    gpus: int
    first_seen: int
    last_seen: int
    memory: list[int]

class ListGpuNamesAnswer(TypedDict):
    success: Literal[True]
    names: list[ListGpuNamesAnswerNames]

class ListingTerms(TypedDict):
    min_bid: float | None
    end_date: float | None
    credit_discount_max: float | None
    reliability: float | None
    storage_cost: float | None
    inet_up_cost: float | None
    inet_down_cost: float | None

MarketplaceToldEarnedUsd = TypedDict("MarketplaceToldEarnedUsd", {"1d": "float", "7d": "float", "30d": "float"})

MarketplaceToldEarnedDays = TypedDict("MarketplaceToldEarnedDays", {"1d": "int", "7d": "int", "30d": "int"})

class MarketplaceToldEarned(TypedDict):
    usd: MarketplaceToldEarnedUsd
    days: MarketplaceToldEarnedDays
    until: int
    read_at: int

class MarketplaceTold(TypedDict):
    read_at: int
    listed: bool | None
    price: float | None
    min_bid: float | None
    occupancy: str | None
    earned: MarketplaceToldEarned | None

OwnFiguresCoveredSeconds = TypedDict("OwnFiguresCoveredSeconds", {"1d": "int", "7d": "int", "30d": "int"})

class MachineEstimate(TypedDict):
    value: float
    low: float
    high: float

class OwnFiguresSinceChange(TypedDict):
    since: int
    covered_seconds: int
    occupancy: float
    earned: float
    expected: MachineEstimate | None
    standing: Literal["below", "within", "above", "unknown"]
    reason: str

class OwnFiguresPriceHistory(TypedDict):
    timestamps: list[int]
    price: list[float]

class OwnFiguresOffered(TypedDict):
    price: list[float]
    available: list[float]

class OwnFiguresClass(TypedDict):
    verified: bool | None
    hosting_type: str | None
    num_gpus: int | None
    gpu_memory: int
    widened: bool

class OwnFiguresFillFactor(TypedDict):
    value: float
    low: float
    high: float

class OwnFiguresCurve(TypedDict):
    price: float
    position: int
    extrapolated: bool
    fill_rate: MachineEstimate | None
    occupancy: MachineEstimate | None
    income: MachineEstimate | None
    net_per_day: MachineEstimate | None

class Costs(TypedDict):
    kwh_price: float | None
    watts_idle: float | None
    watts_load: float | None
    fee_percent: float | None
    other_per_month: float | None
    purchase_price: float | None
    months: float | None

class CostFiguresPaybackDays(TypedDict):
    value: float | None
    low: float | None
    high: float | None

class CostEstimate(TypedDict):
    value: float
    low: float
    high: float

class CostFiguresKeepOn(TypedDict):
    verdict: Literal["yes", "no", "unknown"]
    per_day: CostEstimate

class CostFigures(TypedDict):
    values: Costs
    assumed: list[Literal["kwh_price", "watts_idle", "watts_load", "fee_percent", "other_per_month", "purchase_price", "months"]]
    unknown: list[Literal["kwh_price", "watts_idle", "watts_load", "fee_percent", "other_per_month", "purchase_price", "months"]]
    floor: float | None
    minimum_bid: float | None
    break_even_price: float | None
    break_even_occupancy: float | None
    payback_days: CostFiguresPaybackDays | None
    keep_on: CostFiguresKeepOn | None

class OwnFiguresCompSet(TypedDict):
    mpi: float | None
    ari: float | None
    rgi: float | None
    reason: Literal["not_seen", "few_machines", "few_hosts", "dominant_host", "not_rented"] | None

class OwnFiguresAdvice(TypedDict):
    verdict: Literal["raise", "lower", "keep", "unknown"]
    price: float | None
    end_price: float | None
    basis: Literal["net", "gross"]
    gain_per_day: MachineEstimate | None
    reason: str

OwnFigures = TypedDict("OwnFigures", {"occupancy_1d": "float | None", "occupancy_7d": "float | None", "occupancy_30d": "float | None", "income_1d": "float", "income_7d": "float", "income_30d": "float", "covered_seconds": "OwnFiguresCoveredSeconds", "since_change": "OwnFiguresSinceChange | None", "last_seen": "int | None", "idle_since": "int | None", "price_history": "OwnFiguresPriceHistory", "offered": "OwnFiguresOffered", "class": "OwnFiguresClass | None", "position": "int | None", "fill_rate": "MachineEstimate | None", "hours_to_rent": "float | None", "income": "MachineEstimate | None", "outlook": "MachineEstimate | None", "fill_rates": "list[MachineEstimate | None]", "fill_factor": "OwnFiguresFillFactor", "gpus_at_once": "float | None", "return_rate": "MachineEstimate | None", "curve": "list[OwnFiguresCurve]", "net": "MachineEstimate | None", "costs": "CostFigures", "comp_set": "OwnFiguresCompSet", "reason": "Literal['not_listed', 'not_on_market', 'few_as_dear', 'few_rentals', 'little_exposure', 'no_returns'] | None", "advice": "OwnFiguresAdvice"})

class OwnMachine(TypedDict):
    id: int
    gpu_name: str
    num_gpus: int
    gpu_memory: int
    verified: bool
    hosting_type: str
    online: bool
    price: float | None
    rented_gpus: int
    rented_price: float | None
    avail_percentile: float | None
    rented_percentile: float | None
    terms: ListingTerms | None
    marketplace: MarketplaceTold | None
    figures: OwnFigures | None

class ListMachinePositionsAnswer(TypedDict):
    success: Literal[True]
    slot: int
    machines: list[OwnMachine]
    income_at: Literal["contract", "listed"]
    claimed: bool
    next: int | None

class MachineReplayAsked(TypedDict):
    rule: Literal["hold", "follow", "drop"]
    price: float | None
    percentile: int | None
    drop: int | None

class ReplayEstimate(TypedDict):
    value: float
    low: float
    high: float

class MachineReplayExpected(TypedDict):
    earned: ReplayEstimate
    deciles: list[float]
    worst_day: ReplayEstimate | None
    idle_days: ReplayEstimate
    occupancy: ReplayEstimate
    net: ReplayEstimate | None

class MachineReplayActual(TypedDict):
    earned: float
    worst_day: float | None
    idle_days: float
    occupancy: float
    net: float | None

MachineReplay = TypedDict("MachineReplay", {"success": "Literal[True]", "from": "int", "to": "int", "covered_seconds": "int", "asked": "MachineReplayAsked", "expected": "MachineReplayExpected | None", "actual": "MachineReplayActual | None", "unknown_costs": "list[Literal['kwh_price', 'watts_idle', 'watts_load', 'fee_percent', 'other_per_month', 'purchase_price', 'months']]", "missing": "Literal['not_seen', 'too_new', 'not_listed', 'few_in_class', 'few_as_dear', 'few_rentals'] | None", "reason": "str"})

class ReadCostsAnswerMachines(TypedDict):
    kwh_price: float | None
    watts_idle: float | None
    watts_load: float | None
    fee_percent: float | None
    other_per_month: float | None
    purchase_price: float | None
    months: float | None
    id: int

class ReadCostsAnswer(TypedDict):
    success: Literal[True]
    account: Costs
    machines: list[ReadCostsAnswerMachines]

class Success(TypedDict):
    success: Literal[True]

class EnteredCostsInput(TypedDict):
    kwh_price: NotRequired[float | None]
    watts_idle: NotRequired[float | None]
    watts_load: NotRequired[float | None]
    fee_percent: NotRequired[float | None]
    other_per_month: NotRequired[float | None]
    purchase_price: NotRequired[float | None]
    months: NotRequired[float | None]

class MarketSource(TypedDict):
    name: str
    newest_slot: float | None
    takes_key: bool
    failures: int
    problem: str | None

class ListSourcesAnswer(TypedDict):
    success: Literal[True]
    sources: list[MarketSource]

class ClaimProof(TypedDict):
    proven_at: int
    machines: int
    can_do_more: bool | None
    problem: str | None

class MachinesTakenGpuTypes(TypedDict):
    gpu_name: str
    machines: int
    gpus: int

class MachinesTaken(TypedDict):
    machines: int
    gpus: int
    gpu_types: list[MachinesTakenGpuTypes]

class Claim(TypedDict):
    source: str
    hosts: list[int]
    machines: list[int]
    proven: bool
    proof: ClaimProof | None
    taken: MachinesTaken

class ReadClaimsAnswer(TypedDict):
    success: Literal[True]
    claims: list[Claim]

class WriteClaimAnswer(TypedDict):
    success: Literal[True]
    claim: Claim

class WriteClaimBody(TypedDict):
    source: NotRequired[str]
    hosts: NotRequired[list[int]]
    machines: NotRequired[list[int]]
    key: NotRequired[str | None]

class FindMachinesAnswerHostGpuTypes(TypedDict):
    gpu_name: str
    machines: int
    gpus: int

class FindMachinesAnswerHost(TypedDict):
    machines: int
    gpus: int
    gpu_types: list[FindMachinesAnswerHostGpuTypes]
    id: int

class FindMachinesAnswerMachine(TypedDict):
    id: int
    gpu_name: str
    num_gpus: int
    last_seen: int

class FindMachinesAnswer(TypedDict):
    success: Literal[True]
    source: str
    host: FindMachinesAnswerHost | None
    machine: FindMachinesAnswerMachine | None

AlertCondition = TypedDict("AlertCondition", {"kind": "Literal['statistic']", "gpu_name": "str", "verified": "Literal['yes', 'no', 'all']", "hosting_type": "Literal['all', 'secure_cloud', 'community']", "num_gpus": "int", "gpu_memory": "int", "statistic": "Literal['avail_median', 'avail_p10', 'avail_p90', 'rented_median', 'rented_p10', 'rented_p90', 'occupancy', 'fill_rate', 'available_gpus', 'total_gpus', 'list_price']", "is": "Literal['above', 'below']", "limit": "float", "clears_at": "float | None", "slots": "int"})

AlertChange = TypedDict("AlertChange", {"kind": "Literal['statistic']", "gpu_name": "str", "verified": "Literal['yes', 'no', 'all']", "hosting_type": "Literal['all', 'secure_cloud', 'community']", "num_gpus": "int", "gpu_memory": "int", "statistic": "Literal['avail_median', 'avail_p10', 'avail_p90', 'rented_median', 'rented_p10', 'rented_p90', 'occupancy', 'fill_rate', 'available_gpus', 'total_gpus', 'list_price']", "is": "Literal['falls', 'rises']", "by": "float", "within_hours": "Literal[1, 3, 6, 12, 24, 48, 72, 168, 336, 720]", "clears_at": "float | None", "slots": "int"})

class AlertCondition2(TypedDict):
    kind: Literal["event"]
    gpu_name: str
    verified: Literal["yes", "no", "all"]
    gpu_memory: int
    event: Literal["price_jump", "supply_drop", "high_occupancy", "low_90d"]

class AlertCondition3(TypedDict):
    kind: Literal["machine_idle"]
    machine_id: int | None
    hours: int

class AlertCondition4(TypedDict):
    kind: Literal["machine_price"]
    machine_id: int | None
    slots: int

class AlertCondition5(TypedDict):
    kind: Literal["listing_ends"]
    machine_id: int | None
    days: int

class AlertCondition6(TypedDict):
    kind: Literal["data_age"]
    minutes: int

class AlertRuleFiring(TypedDict):
    machine_id: int | None
    since: float
    value: float | None
    limit: float | None
    before: NotRequired[float]

class AlertRule(TypedDict):
    id: int
    name: str
    source: str | None
    condition: AlertCondition | AlertChange | AlertCondition2 | AlertCondition3 | AlertCondition4 | AlertCondition5 | AlertCondition6
    email: bool
    webhook_url: str | None
    webhook_gone: bool
    silenced_until: float | None
    status: Literal["ok", "firing", "stopped"]
    stop_reason: str | None
    firing: list[AlertRuleFiring]
    has_data: bool | None
    created_at: float

class ListAlertsAnswer(TypedDict):
    success: Literal[True]
    rules: list[AlertRule]

class WrittenAlertRule(TypedDict):
    success: Literal[True]
    rule: AlertRule
    webhook_secret: str | None

AlertConditionInput = TypedDict("AlertConditionInput", {"kind": "Literal['statistic']", "gpu_name": "str", "verified": "NotRequired[Literal['yes', 'no', 'all']]", "hosting_type": "NotRequired[Literal['all', 'secure_cloud', 'community']]", "num_gpus": "NotRequired[int]", "gpu_memory": "NotRequired[int]", "statistic": "Literal['avail_median', 'avail_p10', 'avail_p90', 'rented_median', 'rented_p10', 'rented_p90', 'occupancy', 'fill_rate', 'available_gpus', 'total_gpus', 'list_price']", "is": "Literal['above', 'below']", "limit": "float", "clears_at": "NotRequired[float | None]", "slots": "NotRequired[int]"})

AlertChangeInput = TypedDict("AlertChangeInput", {"kind": "Literal['statistic']", "gpu_name": "str", "verified": "NotRequired[Literal['yes', 'no', 'all']]", "hosting_type": "NotRequired[Literal['all', 'secure_cloud', 'community']]", "num_gpus": "NotRequired[int]", "gpu_memory": "NotRequired[int]", "statistic": "Literal['avail_median', 'avail_p10', 'avail_p90', 'rented_median', 'rented_p10', 'rented_p90', 'occupancy', 'fill_rate', 'available_gpus', 'total_gpus', 'list_price']", "is": "Literal['falls', 'rises']", "by": "float", "within_hours": "NotRequired[Literal[1, 3, 6, 12, 24, 48, 72, 168, 336, 720]]", "clears_at": "NotRequired[float | None]", "slots": "NotRequired[int]"})

class AlertConditionInput2(TypedDict):
    kind: Literal["event"]
    gpu_name: str
    verified: NotRequired[Literal["yes", "no", "all"]]
    gpu_memory: NotRequired[int]
    event: Literal["price_jump", "supply_drop", "high_occupancy", "low_90d"]

class AlertConditionInput3(TypedDict):
    kind: Literal["machine_idle"]
    machine_id: NotRequired[int | None]
    hours: int

class AlertConditionInput4(TypedDict):
    kind: Literal["machine_price"]
    machine_id: NotRequired[int | None]
    slots: NotRequired[int]

class AlertConditionInput5(TypedDict):
    kind: Literal["listing_ends"]
    machine_id: NotRequired[int | None]
    days: int

class AlertConditionInput6(TypedDict):
    kind: Literal["data_age"]
    minutes: int

class AlertRuleSettingsInput(TypedDict):
    source: NotRequired[str | None]
    name: str
    condition: AlertConditionInput | AlertChangeInput | AlertConditionInput2 | AlertConditionInput3 | AlertConditionInput4 | AlertConditionInput5 | AlertConditionInput6
    email: NotRequired[bool]
    webhook_url: NotRequired[str | None]

class AlertRuleAnswer(TypedDict):
    success: Literal[True]
    rule: AlertRule

class SilenceAlertBody(TypedDict):
    until: float | None

class TestAlertAnswerWebhook(TypedDict):
    delivered: bool
    status: int | None
    reason: Literal["refused_address", "no_answer"] | None

class TestAlertAnswer(TypedDict):
    success: Literal[True]
    email: bool
    webhook: TestAlertAnswerWebhook | None

class TryAlertAnswerNow(TypedDict):
    value: float | None
    before: float | None
    limit: float | None

class TryAlertAnswerEntriesRecommended(TypedDict):
    price: float | None
    basis: Literal["net", "gross"]

class TryAlertAnswerEntries(TypedDict):
    what: Literal["fired", "resolved"]
    machine_id: int | None
    since: float
    value: float | None
    limit: float | None
    before: NotRequired[float]
    text: str
    recommended: NotRequired[TryAlertAnswerEntriesRecommended]
    slot: int

TryAlertAnswer = TypedDict("TryAlertAnswer", {"success": "Literal[True]", "from": "int", "to": "int", "slots": "int", "fired": "int", "now": "TryAlertAnswerNow | None", "entries": "list[TryAlertAnswerEntries]"})

class TryAlertBody(TypedDict):
    source: NotRequired[str | None]
    condition: AlertConditionInput | AlertChangeInput | AlertConditionInput2 | AlertConditionInput3 | AlertConditionInput4 | AlertConditionInput5 | AlertConditionInput6
    days: NotRequired[int]

class AlertEntryRecommended(TypedDict):
    price: float | None
    basis: Literal["net", "gross"]

class AlertEntry(TypedDict):
    what: Literal["fired", "resolved"]
    machine_id: int | None
    since: float
    value: float | None
    limit: float | None
    before: NotRequired[float]
    text: str
    recommended: NotRequired[AlertEntryRecommended]

class AlertMessage(TypedDict):
    id: str
    rule_id: int
    name: str
    source: str | None
    slot: int
    entries: list[AlertEntry]
    webhook: Literal["waiting", "delivered", "failed"] | None
    attempts: int
    webhook_status: int | None

class ListAlertMessagesAnswer(TypedDict):
    success: Literal[True]
    messages: list[AlertMessage]
    next_token: str | None

class OpenAlertFeedAnswer(TypedDict):
    success: Literal[True]
    url: str

class AutopilotTargetOwnResults(TypedDict):
    raise_above: float
    lower_below: float

class AutopilotTarget(TypedDict):
    kind: Literal["recommended"]
    own_results: AutopilotTargetOwnResults | None

class AutopilotTarget2(TypedDict):
    kind: Literal["percentile"]
    percentile: int

class AutopilotTarget3(TypedDict):
    kind: Literal["median"]
    offset_percent: float

AutopilotRuleQuiet = TypedDict("AutopilotRuleQuiet", {"from": "int", "to": "int"})

class AutopilotRuleIdle(TypedDict):
    hours: int
    drop_percent: float

class AutopilotRule(TypedDict):
    id: int
    name: str
    source: str | None
    machine_id: int | None
    gpu_name: str | None
    target: AutopilotTarget | AutopilotTarget2 | AutopilotTarget3
    floor: float | None
    ceiling: float | None
    largest_step: float
    hours_between: float
    changes_a_day: int
    quiet: AutopilotRuleQuiet | None
    idle: AutopilotRuleIdle | None
    webhook_url: str | None
    email: bool
    stage: Literal["suggest", "dry_run", "live"]
    dry_run_since: float | None
    live_from: float | None
    stop_reason: str | None
    created_at: float

class ListAutopilotRulesAnswer(TypedDict):
    success: Literal[True]
    rules: list[AutopilotRule]

class WrittenAutopilotRule(TypedDict):
    success: Literal[True]
    rule: AutopilotRule
    webhook_secret: str | None

class AutopilotTargetInputOwnResults(TypedDict):
    raise_above: float
    lower_below: float

class AutopilotTargetInput(TypedDict):
    kind: Literal["recommended"]
    own_results: NotRequired[AutopilotTargetInputOwnResults | None]

class AutopilotTargetInput2(TypedDict):
    kind: Literal["percentile"]
    percentile: int

class AutopilotTargetInput3(TypedDict):
    kind: Literal["median"]
    offset_percent: NotRequired[float]

AutopilotRuleSettingsInputQuiet = TypedDict("AutopilotRuleSettingsInputQuiet", {"from": "int", "to": "int"})

class AutopilotRuleSettingsInputIdle(TypedDict):
    hours: int
    drop_percent: float

class AutopilotRuleSettingsInput(TypedDict):
    name: str
    source: NotRequired[str | None]
    machine_id: NotRequired[int | None]
    gpu_name: NotRequired[str | None]
    target: AutopilotTargetInput | AutopilotTargetInput2 | AutopilotTargetInput3
    floor: NotRequired[float | None]
    ceiling: NotRequired[float | None]
    largest_step: NotRequired[float]
    hours_between: NotRequired[float]
    changes_a_day: NotRequired[int]
    quiet: NotRequired[AutopilotRuleSettingsInputQuiet | None]
    idle: NotRequired[AutopilotRuleSettingsInputIdle | None]
    webhook_url: NotRequired[str | None]
    email: NotRequired[bool]

class SetAutopilotStageAnswer(TypedDict):
    success: Literal[True]
    rule: AutopilotRule

class SetAutopilotStageBody(TypedDict):
    stage: Literal["suggest", "dry_run", "live"]

class DryRunMachineEarned(TypedDict):
    expected: ReplayEstimate
    actual: float

class DryRunMachine(TypedDict):
    machine_id: int
    gpu_name: str
    changes: int
    covered_seconds: int
    earned: DryRunMachineEarned | None
    missing: Literal["not_seen", "too_new", "not_listed", "few_in_class", "few_as_dear", "few_rentals"] | None
    reason: str

class DryRunReplayTotal(TypedDict):
    expected: ReplayEstimate
    actual: float

DryRunReplay = TypedDict("DryRunReplay", {"rule_id": "int", "from": "int | None", "to": "int", "machines": "list[DryRunMachine]", "left_out": "int", "total": "DryRunReplayTotal | None"})

class ReplayAutopilotRuleAnswer(TypedDict):
    success: Literal[True]
    replay: DryRunReplay

class AutopilotSuggestion(TypedDict):
    rule_id: int
    machine_id: int
    gpu_name: str
    source: str | None
    price: float | None
    floor: float | None
    kind: Literal["change", "refusal", "none"]
    new_price: float | None
    refusal: Literal["not_listed", "stale", "clock", "gap", "changed_elsewhere", "not_seen_yet", "no_floor", "floor_above_ceiling", "thin", "no_target", "quiet", "too_soon", "too_many"] | None
    reason: str

class ListAutopilotSuggestionsAnswer(TypedDict):
    success: Literal[True]
    stopped: bool
    suggestions: list[AutopilotSuggestion]

class AutopilotDecision(TypedDict):
    id: str
    rule_id: int | None
    source: str | None
    machine_id: int
    gpu_name: str
    kind: Literal["change", "refusal", "hand", "undo"]
    stage: Literal["suggest", "dry_run", "live"]
    old_price: float | None
    new_price: float | None
    refusal: str | None
    reason: str
    figures: dict[str, Any]
    adapter: Literal["marketplace", "api", "webhook", "command"] | None
    state: Literal["noted", "decided", "called", "answered", "read_back", "failed"]
    attempts: int
    answer: str | None
    read_price: float | None
    undoes: str | None
    created_at: float
    done_at: float | None

class ListAutopilotDecisionsAnswer(TypedDict):
    success: Literal[True]
    decisions: list[AutopilotDecision]
    next_token: str | None

class UndoAutopilotDecisionAnswer(TypedDict):
    success: Literal[True]
    decision: AutopilotDecision

class StopAutopilotAnswer(TypedDict):
    success: Literal[True]
    stopped: bool

class StopAutopilotBody(TypedDict):
    stopped: bool

class ApplyPricesAnswer(TypedDict):
    success: Literal[True]
    decisions: list[AutopilotDecision]

ApplyPricesBodyChanges = TypedDict("ApplyPricesBodyChanges", {"machine_id": "int", "from": "float", "price": "float"})

class ApplyPricesBody(TypedDict):
    source: NotRequired[str | None]
    changes: list[ApplyPricesBodyChanges]

class AuditAutopilotAnswerDecisions(TypedDict):
    id: str
    rule_id: int | None
    source: str | None
    machine_id: int
    gpu_name: str
    kind: Literal["change", "refusal", "hand", "undo"]
    stage: Literal["suggest", "dry_run", "live"]
    old_price: float | None
    new_price: float | None
    refusal: str | None
    reason: str
    figures: dict[str, Any]
    adapter: Literal["marketplace", "api", "webhook", "command"] | None
    state: Literal["noted", "decided", "called", "answered", "read_back", "failed"]
    attempts: int
    answer: str | None
    read_price: float | None
    undoes: str | None
    created_at: float
    done_at: float | None
    account_id: int
    account: str

class AuditAutopilotAnswer(TypedDict):
    success: Literal[True]
    decisions: list[AuditAutopilotAnswerDecisions]
    next_token: str | None

class GetListPricesAnswerCatalogs(TypedDict):
    catalog: str
    provider: str
    read_at: int | None
    is_current: bool
    offers: int
    left_out: dict[str, int]
    failures: int
    problem: str | None

class CloudOffer(TypedDict):
    catalog: str
    provider: str
    spot: bool
    price: float
    region: str
    instance_name: str
    gpus: int
    gpu_memory: int | None
    listed_name: str
    since: int
    as_of: int
    is_current: bool

class CloudGpuSeries(TypedDict):
    catalog: str
    provider: str
    spot: bool
    prices: list[float | None]

class CloudGpu(TypedDict):
    cheapest: list[CloudOffer]
    timestamps: list[int]
    series: list[CloudGpuSeries]

class GetListPricesAnswerUnmapped(TypedDict):
    catalog: str
    provider: str
    listed_name: str
    gpu_memory: int | None
    offers: int
    cheapest: float

class GetListPricesAnswer(TypedDict):
    success: Literal[True]
    needs_machine: bool
    catalogs: list[GetListPricesAnswerCatalogs]
    gpus: dict[str, CloudGpu]
    unmapped: list[GetListPricesAnswerUnmapped]

class SqlStatementInput(TypedDict):
    query: str
    format: NotRequired[Literal["JSON", "JSONCompact", "JSONEachRow", "CSV", "TSV", "Parquet", "Arrow", "Progress"]]
    params: NotRequired[dict[str, str | float | bool | None | list[str | float | bool | None]]]

class SqlTableColumns(TypedDict):
    name: str
    type: str
    comment: str

class SqlTable(TypedDict):
    name: str
    engine: str
    comment: str
    rows: float | None
    bytes: float | None
    columns: list[SqlTableColumns]

class GetSqlSchemaAnswer(TypedDict):
    functions: list[str]
    keywords: list[str]
    types: list[str]
    tables: list[SqlTable]
    simulated: bool

class AuditedQuery(TypedDict):
    id: str
    user_id: int | None
    username: str | None
    query: str
    params: dict[str, Any]
    format: str
    started_at: float
    outcome: Literal["running", "done", "failed", "cancelled"]
    error: str | None
    duration_ms: float | None
    read_rows: float | None
    read_bytes: float | None
    result_rows: float | None
    memory_usage: float | None

class SavedQuery(TypedDict):
    id: int
    user_id: int
    username: str
    name: str
    query: str
    shared: bool
    updated_at: float

class SuccessId(TypedDict):
    success: Literal[True]
    id: int

class SaveSqlQueryBody(TypedDict):
    name: str
    query: str
    shared: NotRequired[bool]

class CreateSqlDownloadAnswer(TypedDict):
    success: Literal[True]
    url: str

class DashboardEntry(TypedDict):
    id: int
    name: str
    revision: int
    username: str | None
    updated_at: float
    panels: int

class ListSqlDashboardsAnswer(TypedDict):
    success: Literal[True]
    dashboards: list[DashboardEntry]

class DashboardPanelInputChart(TypedDict):
    kind: Literal["line", "bars", "points"]
    x: str
    y: list[str]
    by: NotRequired[str | None]

class DashboardPanelInput(TypedDict):
    name: str
    query: str
    params: NotRequired[dict[str, str | float | bool | None | list[str | float | bool | None]]]
    chart: NotRequired[DashboardPanelInputChart | None]

class CreateSqlDashboardBody(TypedDict):
    name: str
    panels: NotRequired[list[DashboardPanelInput]]

class DashboardPanelChart(TypedDict):
    kind: Literal["line", "bars", "points"]
    x: str
    y: list[str]
    by: str | None

class DashboardPanel(TypedDict):
    name: str
    query: str
    params: dict[str, str | float | bool | None | list[str | float | bool | None]]
    chart: DashboardPanelChart | None

class Dashboard(TypedDict):
    id: int
    name: str
    revision: int
    username: str | None
    updated_at: float
    panels: list[DashboardPanel]

class GetSqlDashboardAnswer(TypedDict):
    success: Literal[True]
    dashboard: Dashboard

class ChangeSqlDashboardAnswer(TypedDict):
    success: Literal[True]
    revision: int

class ChangeSqlDashboardBody(TypedDict):
    name: str
    panels: NotRequired[list[DashboardPanelInput]]
    revision: int

class ShareChartAnswer(TypedDict):
    success: Literal[True]
    id: int
    url: str

class SharedChartInput(TypedDict):
    query: str
    last: NotRequired[int | None]
    metric: NotRequired[Literal["price", "supply", "occupancy", "value"]]
    unit: NotRequired[Literal["gpus", "machines"]]
    side: NotRequired[Literal["available", "rented"]]
    score: NotRequired[Literal["dlperf", "tflops"]]
    axis: NotRequired[Literal["usd", "percent"]]
    zone: NotRequired[Literal["local", "utc"]]

class SharedChart(TypedDict):
    query: str
    last: int | None
    metric: Literal["price", "supply", "occupancy", "value"]
    unit: Literal["gpus", "machines"]
    side: Literal["available", "rented"]
    score: Literal["dlperf", "tflops"]
    axis: Literal["usd", "percent"]
    zone: Literal["local", "utc"]

class Share(TypedDict):
    id: int
    chart: SharedChart
    created_at: float
    stop_reason: str | None

class ListSharedChartsAnswer(TypedDict):
    success: Literal[True]
    shares: list[Share]

class ReadSharedChartAnswer(TypedDict):
    success: Literal[True]
    chart: SharedChart
    gpus: dict[str, GpuHistory]

class OfferVolumesAnswerResultsNewContracts(TypedDict):
    id: int
    size: int

class OfferVolumesAnswerResults(TypedDict):
    machine_id: int
    user_id: int
    extended: int
    new_contracts: list[OfferVolumesAnswerResultsNewContracts]
    upd_contracts: list[int]

class OfferVolumesAnswer(TypedDict):
    success: Literal[True]
    you_sent: dict[str, Any]
    results: list[OfferVolumesAnswerResults]

class OfferVolumesBody(TypedDict):
    machine: NotRequired[int | str | list[int | str] | None]
    machines: NotRequired[int | str | list[int | str] | None]
    hidden_listing: NotRequired[bool | None]
    size: NotRequired[int]
    price_disk: NotRequired[float]
    end_date: NotRequired[float]

class RentedVolume(TypedDict):
    id: int
    machine_id: int
    disk_space: int
    storage_cost: float
    start_date: float
    end_date: float
    status: Literal["active"]
    verification: str
    geolocation: str | None
    instances: list[int]
    cluster_id: None
    label: None
    disk_name: None
    driver_version: None
    inet_up: None
    inet_down: None
    reliability2: None

class ListRentedVolumesAnswer(TypedDict):
    success: Literal[True]
    volumes: list[RentedVolume]

class VolumeListing(TypedDict):
    id: int
    machine_id: int
    user_id: int
    size: int
    price_disk: float
    hidden_listing: bool
    end_date: float
    created_at: float
    rented: int

class ListMachineVolumesAnswer(TypedDict):
    success: Literal[True]
    volumes: list[VolumeListing]

class SuccessMessage(TypedDict):
    success: Literal[True]
    msg: str

class UnlistVolumeBody(TypedDict):
    id: int | str

class VolumeOffer(TypedDict):
    id: int
    machine_id: int
    disk_space: int
    storage_cost: float
    storage_total_cost: float
    end_date: float
    duration: float
    verification: str
    verified: bool
    external: Literal[False]
    hosting_type: str
    geolocation: str | None
    num_gpus: int
    gpu_name: str
    cuda_max_good: None
    cpu_ghz: None
    disk_bw: None
    disk_name: None
    driver_version: None
    inet_up: None
    inet_down: None
    reliability: None
    score: None

class SearchVolumesAnswer(TypedDict):
    success: Literal[True]
    offers: list[VolumeOffer]

class SearchVolumesBodyOrder(TypedDict):
    col: str
    dir: NotRequired[Literal["asc", "desc"]]

class SearchVolumesBody(TypedDict):
    order: NotRequired[list[SearchVolumesBodyOrder | list[Any]] | None]
    limit: NotRequired[int | None]
    allocated_storage: NotRequired[float | None]

class Machine(TypedDict):
    id: int
    machine_id: int
    num_gpus: int
    gpu_name: str
    gpu_ram: int
    disk_space: int
    hostname: str
    verification: Literal["verified", "unverified", "deverified"]
    hosting_type: str
    geolocation: str | None
    listed: bool
    listed_gpu_cost: float | None
    end_date: float | None
    min_bid_price: float | None
    credit_discount_max: float | None
    listed_storage_cost: float | None
    listed_inet_up_cost: float | None
    listed_inet_down_cost: float | None
    reliability2: float | None
    timeout: int | None
    total_flops: float | None
    dlperf: float | None
    gpu_occupancy: str
    current_rentals_running: int
    current_rentals_resident: int
    current_rentals_on_demand: int
    current_rentals_running_on_demand: int
    driver_version: None
    public_ipaddr: None
    num_reports: None
    inet_up: None
    inet_down: None

class ListMachinesAnswer(TypedDict):
    success: Literal[True]
    machines: list[Machine]

class PageMachinesAnswer(TypedDict):
    success: Literal[True]
    machines: list[Machine]
    machines_found: int
    total_machines: int
    next_token: str | None

class Instance(TypedDict):
    id: int
    machine_id: int
    actual_status: str
    label: None
    num_gpus: int
    gpu_name: str
    gpu_ram: int
    disk_space: int
    dph_total: float
    start_date: float
    end_date: float
    verification: str
    geolocation: str | None
    extra_env: list[list[Any]]
    volume_info: list[Any]
    gpu_util: None
    disk_usage: None
    disk_util: None
    image_uuid: None
    template_id: None
    template_name: None
    inet_up: None
    inet_down: None
    ssh_host: None
    ssh_port: None
    status_msg: None
    internet_up_cost_per_tb: None
    internet_down_cost_per_tb: None

class GetInstanceAnswer(TypedDict):
    success: Literal[True]
    instances: Instance | None

class PageInstancesAnswer(TypedDict):
    success: Literal[True]
    instances: list[Instance]
    total_instances: int
    label_counts: dict[str, int]
    next_token: str | None

class ListInstanceFiltersAnswerFilters(TypedDict):
    actual_status: str
    verification: str
    gpu_name: str

class ListInstanceFiltersAnswer(TypedDict):
    success: Literal[True]
    filters: list[ListInstanceFiltersAnswerFilters]

class StartedCloudCopy(TypedDict):
    success: Literal[True]
    msg: str
    result_url: str

class CloudCopyInput(TypedDict):
    instance_id: int | str
    src: str
    dst: str
    selected: int | str
    transfer: str
    flags: NotRequired[list[Literal["--dry-run", "--size-only", "--ignore-existing", "--update", "--delete-excluded"]] | None]

class ListHostTasksAnswerTasks(TypedDict):
    token: str
    created_at: float
    expires_at: float

class ListHostTasksAnswer(TypedDict):
    success: Literal[True]
    tasks: list[ListHostTasksAnswerTasks]

class FetchHostTaskAnswerTask(TypedDict):
    instance_id: int
    src: str
    dst: str
    transfer: Literal["Instance To Cloud", "Cloud To Instance"]
    flags: list[Literal["--dry-run", "--size-only", "--ignore-existing", "--update", "--delete-excluded"]]

class FetchHostTaskAnswerCloud(TypedDict):
    provider: Literal["s3", "b2", "drive", "dropbox", "webdav"]
    credentials: dict[str, str]

class FetchHostTaskAnswer(TypedDict):
    success: Literal[True]
    machine_id: int
    task: FetchHostTaskAnswerTask
    cloud: FetchHostTaskAnswerCloud

class AppendHostTaskLogAnswer(TypedDict):
    success: Literal[True]
    received: int

class AppendHostTaskLogBody(TypedDict):
    offset: int
    text: str

class FinishHostTaskBody(TypedDict):
    exit_code: int

class ListCloudConnectionsAnswer(TypedDict):
    id: int
    name: str
    cloud_type: Literal["s3", "b2", "drive", "dropbox", "webdav"]
    created_at: float

class SaveCloudConnectionBodyCredentials(TypedDict):
    access_key_id: str
    secret_access_key: str
    region: NotRequired[str]
    endpoint: NotRequired[str]

class SaveCloudConnectionBody(TypedDict):
    name: str
    cloud_type: Literal["s3"]
    credentials: SaveCloudConnectionBodyCredentials

class SaveCloudConnectionBody2Credentials(TypedDict):
    account: str
    key: str

class SaveCloudConnectionBody2(TypedDict):
    name: str
    cloud_type: Literal["b2"]
    credentials: SaveCloudConnectionBody2Credentials

class SaveCloudConnectionBody3Credentials(TypedDict):
    token: str
    root_folder_id: NotRequired[str]

class SaveCloudConnectionBody3(TypedDict):
    name: str
    cloud_type: Literal["drive"]
    credentials: SaveCloudConnectionBody3Credentials

class SaveCloudConnectionBody4Credentials(TypedDict):
    token: str

class SaveCloudConnectionBody4(TypedDict):
    name: str
    cloud_type: Literal["dropbox"]
    credentials: SaveCloudConnectionBody4Credentials

SaveCloudConnectionBody5Credentials = TypedDict("SaveCloudConnectionBody5Credentials", {"url": "str", "user": "NotRequired[str]", "pass": "NotRequired[str]"})

class SaveCloudConnectionBody5(TypedDict):
    name: str
    cloud_type: Literal["webdav"]
    credentials: SaveCloudConnectionBody5Credentials

class SendEmailCodeAnswer(TypedDict):
    success: Literal[True]
    msg: str
    secret: str

class SendEmailCodeBody(TypedDict):
    secret: NotRequired[str | None]

class RegenerateBackupCodesAnswer(TypedDict):
    msg: Literal["success"]
    backup_codes: list[str]

class TfaProofInput(TypedDict):
    tfa_method_id: NotRequired[int | str | None]
    tfa_method: NotRequired[str | None]
    code: NotRequired[str | None | int]
    secret: NotRequired[str | None]
    backup_code: NotRequired[str | None]

class LogInWithTfaAnswer(TypedDict):
    success: Literal[True]
    msg: str
    session_key: str
    backup_codes_remaining: NotRequired[int]

class RemoveTfaMethodAnswer(TypedDict):
    success: Literal[True]
    remaining_methods: NotRequired[int]

class RemoveTfaMethodBody(TypedDict):
    tfa_method_id: NotRequired[int | str | None]
    tfa_method: NotRequired[str | None]
    code: NotRequired[str | None | int]
    secret: NotRequired[str | None]
    backup_code: NotRequired[str | None]
    target_id: NotRequired[int | str | None]

class AuthorizeTfaMethodAnswer(TypedDict):
    success: Literal[True]
    msg: str
    secret: NotRequired[str]

class AuthorizeTfaMethodBody(TypedDict):
    tfa_method_id: NotRequired[int | str | None]
    tfa_method: NotRequired[str | None]
    backup_code: NotRequired[str | None]

class GrantTfaMethodBody(TypedDict):
    code: NotRequired[str | None | int]
    secret: NotRequired[str | None]

class SetUpTotpAnswer(TypedDict):
    success: Literal[True]
    secret: str
    provisioning_uri: str
    tfa_method_id: int

class SetUpTotpBody(TypedDict):
    tfa_method_id: NotRequired[int | str | None]
    tfa_method: NotRequired[str | None]
    code: NotRequired[str | None | int]
    secret: NotRequired[str | None]
    backup_code: NotRequired[str | None]
    label: NotRequired[str | None]

class SentSmsCode(TypedDict):
    success: Literal[True]
    msg: str
    secret: str
    tfa_method_id: int

class SmsCodeRequestInput(TypedDict):
    tfa_method_id: NotRequired[int | str | None]
    tfa_method: NotRequired[str | None]
    code: NotRequired[str | None | int]
    secret: NotRequired[str | None]
    backup_code: NotRequired[str | None]
    phone_number: NotRequired[str | None]
    label: NotRequired[str | None]

class ResentSmsCode(TypedDict):
    success: Literal[True]
    msg: str
    secret: str

class SmsChallengeInput(TypedDict):
    secret: str

class ConfirmTfaMethodAnswer(TypedDict):
    success: Literal[True]
    tfa_method_id: int
    backup_codes: NotRequired[list[str]]

class TfaConfirmationInput(TypedDict):
    code: NotRequired[str | None | int]
    secret: NotRequired[str | None]
    tfa_method: NotRequired[str | None]
    label: NotRequired[str | None]
    phone_number: NotRequired[str | None]

class ActivateTfaMethodAnswer(TypedDict):
    success: Literal[True]
    msg: str
    tfa_method_id: int
    backup_codes: NotRequired[list[str]]

class TfaMethod(TypedDict):
    id: int
    user_id: int
    method: Literal["totp", "sms"]
    tfa_method: Literal["totp", "sms"]
    label: str
    is_primary: bool
    phone_number: str | None
    created_at: float
    last_used: float | None
    fail_count: int
    locked_until: float | None

class GetTfaStatusAnswer(TypedDict):
    success: Literal[True]
    tfa_enabled: bool
    methods: list[TfaMethod]
    backup_codes_remaining: int
    new_method_authorized: bool

class UpdateTfaMethodAnswer(TypedDict):
    success: Literal[True]
    msg: str
    method: TfaMethod

class UpdateTfaMethodBody(TypedDict):
    tfa_method_id: int | str
    label: NotRequired[str | None]
    is_primary: NotRequired[bool | None]

class Template(TypedDict):
    id: int
    hash_id: str
    creator_id: int
    created_at: float
    count_created: int
    name: Any
    image: Any
    tag: Any
    env: Any
    onstart: Any
    runtype: Any
    ssh_direct: Any
    jup_direct: Any
    jupyter_dir: Any
    use_jupyter_lab: Any
    use_ssh: Any
    docker_login_repo: Any
    docker_login_user: Any
    extra_filters: Any
    recommended_disk_space: Any
    desc: Any
    readme: Any
    readme_visible: Any
    args_str: Any
    href: Any
    repo: Any
    private: Any
    volume_info: Any

class TemplateLibrary(TypedDict):
    success: Literal[True]
    templates: list[Template]

class SaveTemplatesBodyTemplates(TypedDict):
    name: str
    image: str
    tag: NotRequired[str | None]
    env: NotRequired[str | None]
    onstart: NotRequired[str | None]
    runtype: NotRequired[Literal["ssh", "jupyter", "args"] | None]
    ssh_direct: NotRequired[bool | None]
    jup_direct: NotRequired[bool | None]
    jupyter_dir: NotRequired[str | None]
    use_jupyter_lab: NotRequired[bool | None]
    use_ssh: NotRequired[bool | None]
    docker_login_repo: NotRequired[str | None]
    docker_login_user: NotRequired[str | None]
    extra_filters: NotRequired[dict[str, Any] | None]
    recommended_disk_space: NotRequired[float | str | None]
    desc: NotRequired[str | None]
    readme: NotRequired[str | None]
    readme_visible: NotRequired[bool | None]
    args_str: NotRequired[str | None]
    href: NotRequired[str | None]
    repo: NotRequired[str | None]
    private: NotRequired[bool | None]
    volume_info: NotRequired[dict[str, Any] | None]
    id: NotRequired[int | str | None]
    docker_login_pass: NotRequired[str | None]

class SaveTemplatesBody(TypedDict):
    templates: list[SaveTemplatesBodyTemplates]
    referral_template_id: NotRequired[int | str | None]
    is_an_edit: NotRequired[bool | None]

class SearchTemplatesAnswer(TypedDict):
    success: Literal[True]
    templates: list[Template]
    templates_found: int
    next_token: str | None

class SavedTemplate(TypedDict):
    success: Literal[True]
    msg: str
    template: Template

class CreateTemplateBody(TypedDict):
    name: str
    image: str
    tag: NotRequired[str | None]
    env: NotRequired[str | None]
    onstart: NotRequired[str | None]
    runtype: NotRequired[Literal["ssh", "jupyter", "args"] | None]
    ssh_direct: NotRequired[bool | None]
    jup_direct: NotRequired[bool | None]
    jupyter_dir: NotRequired[str | None]
    use_jupyter_lab: NotRequired[bool | None]
    use_ssh: NotRequired[bool | None]
    docker_login_repo: NotRequired[str | None]
    docker_login_user: NotRequired[str | None]
    extra_filters: NotRequired[dict[str, Any] | None]
    recommended_disk_space: NotRequired[float | str | None]
    desc: NotRequired[str | None]
    readme: NotRequired[str | None]
    readme_visible: NotRequired[bool | None]
    args_str: NotRequired[str | None]
    href: NotRequired[str | None]
    repo: NotRequired[str | None]
    private: NotRequired[bool | None]
    volume_info: NotRequired[dict[str, Any] | None]
    docker_login_pass: NotRequired[str | None]

class EditTemplateBody(TypedDict):
    name: NotRequired[str | None]
    image: NotRequired[str | None]
    tag: NotRequired[str | None]
    env: NotRequired[str | None]
    onstart: NotRequired[str | None]
    runtype: NotRequired[Literal["ssh", "jupyter", "args"] | None]
    ssh_direct: NotRequired[bool | None]
    jup_direct: NotRequired[bool | None]
    jupyter_dir: NotRequired[str | None]
    use_jupyter_lab: NotRequired[bool | None]
    use_ssh: NotRequired[bool | None]
    docker_login_repo: NotRequired[str | None]
    docker_login_user: NotRequired[str | None]
    extra_filters: NotRequired[dict[str, Any] | None]
    recommended_disk_space: NotRequired[float | str | None]
    desc: NotRequired[str | None]
    readme: NotRequired[str | None]
    readme_visible: NotRequired[bool | None]
    args_str: NotRequired[str | None]
    href: NotRequired[str | None]
    repo: NotRequired[str | None]
    private: NotRequired[bool | None]
    volume_info: NotRequired[dict[str, Any] | None]
    docker_login_pass: NotRequired[str | None]
    hash_id: str

class DeleteTemplateBody(TypedDict):
    hash_id: NotRequired[str | None]
    template_id: NotRequired[int | str | None]

class CreateTeamBody(TypedDict):
    team_name: str

class Team(TypedDict):
    id: int
    team_name: str
    role: str | None
    created_at: float

class RenameTeamBody(TypedDict):
    team_name: str

class TransferTeamBody(TypedDict):
    new_team_owner_id: int | str

class TeamRole(TypedDict):
    id: int
    name: str
    permissions: dict[str, Any]

class PermissionsInput(TypedDict):
    api: dict[str, dict[str, Any]]

class ChangeTeamRoleBody(TypedDict):
    name: NotRequired[str | None]
    permissions: PermissionsInput

class Removed(TypedDict):
    success: Literal[True]
    status: Literal["success"]
    message: str

class DeleteTeamRoleBody(TypedDict):
    role_id: NotRequired[int | str | None]

class CreateTeamRoleBody(TypedDict):
    name: str
    permissions: PermissionsInput

class ListAssignableTeamRolesAnswer(TypedDict):
    id: int
    name: str
    permissions: dict[str, Any]
    identifier: str | None

class AssignTeamRoleAnswer(TypedDict):
    msg: Literal["success"]

class AssignTeamRoleBody(TypedDict):
    role: str

class ChangeTeamMemberRoleAnswer(TypedDict):
    success: Literal[True]
    msg: str
    new_role_permissions: dict[str, Any]

class ChangeTeamMemberRoleBody(TypedDict):
    member_id: NotRequired[int | str | None]
    role_id: int | str

class TeamMember(TypedDict):
    id: int
    username: str
    email: str | None
    role: str | None
    roles: list[str]
    joined_at: float

class InviteTeamMemberBody(TypedDict):
    email: NotRequired[str | None]
    role: NotRequired[str | None]

class InviteToTeamBody(TypedDict):
    email: NotRequired[str | None]
    role: NotRequired[str | None]

class ListTeamInvitationsAnswer(TypedDict):
    email: str
    role: str | None
    created_at: float
    expires_at: float

class JoinTeamBody(TypedDict):
    team_id: int | str

class LeaveTeamBody(TypedDict):
    team_id: int | str

class SavedJob(TypedDict):
    success: Literal[True]
    scheduled_job_id: int
    msg: str

class JobFieldsInput(TypedDict):
    start_time: NotRequired[float | None]
    end_time: NotRequired[float | None]
    api_endpoint: NotRequired[str | None]
    request_method: NotRequired[Literal["GET", "POST", "PUT", "DELETE"] | None]
    request_body: NotRequired[dict[str, Any] | None]
    instance_id: NotRequired[int | str | None]
    frequency: NotRequired[Literal["HOURLY", "DAILY", "WEEKLY"] | None]
    day_of_the_week: NotRequired[int | None]
    hour_of_the_day: NotRequired[int | None]
    min_of_the_hour: NotRequired[int | None]

class ListScheduledJobsAnswer(TypedDict):
    id: int
    user_id: int
    instance_id: int | None
    api_endpoint: str
    request_method: Literal["GET", "POST", "PUT", "DELETE"]
    request_body: dict[str, Any]
    start_time: float
    end_time: float | None
    frequency: Literal["HOURLY", "DAILY", "WEEKLY"]
    day_of_the_week: int | None
    hour_of_the_day: int | None
    min_of_the_hour: int
    status: Literal["PENDING", "IN-PROGRESS", "COMPLETED", "STOPPED"]
    stop_reason: str | None
    key_id: int | None
    next_run: float | None
    last_executed_around: float | None
    last_status_code: int | None
    last_outcome: str | None

class SshKey(TypedDict):
    id: int
    user_id: int
    public_key: str
    created_at: float
    deleted_at: None

class SshKeyAnswer(TypedDict):
    success: Literal[True]
    key: SshKey

class AddSshKeyBody(TypedDict):
    ssh_key: str

class ChangeSshKeyBody(TypedDict):
    id: NotRequired[int | str | None]
    ssh_key: str

class GetSignInOfferAnswer(TypedDict):
    success: Literal[True]
    by_mail: bool

class SignInByMailAnswer(TypedDict):
    success: Literal[True]
    id: int
    key: str
    expires_at: float

class SignInByMailBody(TypedDict):
    code: str
    request: NotRequired[str]
    backup_code: NotRequired[str | None]
    tfa_method_id: NotRequired[int | str | None]
    totp: NotRequired[int]

class SignOutAnswer(TypedDict):
    success: Literal[True]
    ended: bool

class MailSignInLinkAnswer(TypedDict):
    success: Literal[True]
    msg: str
    request: str

class MailSignInLinkBody(TypedDict):
    email: str

class LookAtSignInLinkAnswerTotpMethods(TypedDict):
    id: int
    label: str

class LookAtSignInLinkAnswer(TypedDict):
    success: Literal[True]
    username: str
    email: str
    needs_second_factor: bool
    totp_methods: list[LookAtSignInLinkAnswerTotpMethods]

class LookAtSignInLinkBody(TypedDict):
    code: str
    request: NotRequired[str]

class ApiKey(TypedDict):
    id: int
    user_id: int
    key: None
    key_type: Literal["user", "team"]
    name: str
    prefix: str
    permissions: Permissions
    team_id: int | None
    team_name: str | None
    created_at: float
    expires_at: float | None
    last_used_at: float | None

class ListApiKeysAnswer(TypedDict):
    success: Literal[True]
    apikeys: list[ApiKey]

class CreateApiKeyAnswer(TypedDict):
    success: Literal[True]
    id: int
    key: str
    permissions: Permissions

class CreateApiKeyBody(TypedDict):
    name: NotRequired[str | None]
    permissions: NotRequired[PermissionsInput | None]
    team_id: NotRequired[int | str | None]
    expires_at: NotRequired[float | None]

class RevokeApiKeyAnswer(TypedDict):
    success: Literal[True]
    stopped_jobs: list[int]

class ResetApiKeyAnswer(TypedDict):
    success: Literal[True]
    id: int
    new_api_key: str
    stopped_jobs: list[int]


class Client(Transport):
    """The operations of a rackrate service. Each raises RackrateError when the service refuses it or cannot be reached."""

    def get_current_user(self) -> GetCurrentUserAnswer:
        """Get the current user: GET /api/v0/users/current"""
        return self._call("GET", "/api/v0/users/current")

    def get_gpu_history(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, step: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuHistoryAnswer:
        """GPU price and supply history: GET /api/v0/metrics/gpu/history"""
        return self._call("GET", "/api/v0/metrics/gpu/history", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "step": step, "source": source})

    def get_gpu_market(self, *, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, source: str | Sequence[str] | None = None) -> GetGpuMarketAnswer:
        """GPU market now: GET /api/v0/metrics/gpu/current"""
        return self._call("GET", "/api/v0/metrics/gpu/current", query={"verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "source": source})

    def get_gpu_depth(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, at: int | None = None, per_machine: int | None = None, gpus: int | None = None, days: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuDepthAnswer:
        """GPU order book: GET /api/v0/metrics/gpu/depth"""
        return self._call("GET", "/api/v0/metrics/gpu/depth", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "at": at, "per_machine": per_machine, "gpus": gpus, "days": days, "source": source})

    def get_gpu_prices(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, step: int | None = None, bins: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuPricesAnswer:
        """GPU price distribution over time: GET /api/v0/metrics/gpu/prices"""
        return self._call("GET", "/api/v0/metrics/gpu/prices", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "step": step, "bins": bins, "source": source})

    def get_gpu_availability(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, gpus: int | None = None, price: float | None = None, source: str | Sequence[str] | None = None) -> GetGpuAvailabilityAnswer:
        """GPU availability at a price: GET /api/v0/metrics/gpu/availability"""
        return self._call("GET", "/api/v0/metrics/gpu/availability", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "gpus": gpus, "price": price, "source": source})

    def get_gpu_revenue(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, step: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuRevenueAnswer:
        """GPU revenue and occupancy: GET /api/v0/metrics/gpu/revenue"""
        return self._call("GET", "/api/v0/metrics/gpu/revenue", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "step": step, "source": source})

    def get_gpu_index(self, *, gpu_name: str | Sequence[str] | None = None, market: Literal["true", "false"] | None = None, start: int | None = None, end: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuIndexAnswer:
        """GPU price index: GET /api/v0/metrics/gpu/index"""
        return self._call("GET", "/api/v0/metrics/gpu/index", query={"gpu_name": gpu_name, "market": market, "start": start, "end": end, "source": source})

    def get_gpu_churn(self, *, gpu_name: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuChurnAnswer:
        """Machines that join and leave the market: GET /api/v0/metrics/gpu/churn"""
        return self._call("GET", "/api/v0/metrics/gpu/churn", query={"gpu_name": gpu_name, "start": start, "end": end, "source": source})

    def get_gpu_dispersion(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, step: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuDispersionAnswer:
        """GPU price dispersion and volatility: GET /api/v0/metrics/gpu/dispersion"""
        return self._call("GET", "/api/v0/metrics/gpu/dispersion", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "step": step, "source": source})

    def get_gpu_events(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, limit: int | None = None, after_token: str | Sequence[str] | None = None, source: str | Sequence[str] | None = None) -> GetGpuEventsAnswer:
        """GPU market events: GET /api/v0/metrics/gpu/events"""
        return self._call("GET", "/api/v0/metrics/gpu/events", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "limit": limit, "after_token": after_token, "source": source})

    def get_gpu_fill(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuFillAnswer:
        """GPU fill rates by price: GET /api/v0/metrics/gpu/fill"""
        return self._call("GET", "/api/v0/metrics/gpu/fill", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "source": source})

    def get_gpu_fill_by_terms(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuFillByTermsAnswer:
        """GPU fill rates by terms of the listing: GET /api/v0/metrics/gpu/fill-by-terms"""
        return self._call("GET", "/api/v0/metrics/gpu/fill-by-terms", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "source": source})

    def get_gpu_time_to_rent(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, source: str | Sequence[str] | None = None) -> GetGpuTimeToRentAnswer:
        """Time to the first rental: GET /api/v0/metrics/gpu/time-to-rent"""
        return self._call("GET", "/api/v0/metrics/gpu/time-to-rent", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "source": source})

    def get_thin_gpu_prices(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, start: int | None = None, end: int | None = None, step: int | None = None, source: str | Sequence[str] | None = None) -> GetThinGpuPricesAnswer:
        """Prices of few machines: GET /api/v0/metrics/gpu/thin"""
        return self._call("GET", "/api/v0/metrics/gpu/thin", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "start": start, "end": end, "step": step, "source": source})

    def get_gpu_forecast(self, *, gpu_name: str | Sequence[str] | None = None, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, gpus: int | None = None, price: float | None = None, source: str | Sequence[str] | None = None) -> GetGpuForecastAnswer:
        """Forecast of prices, occupancy and availability: GET /api/v0/metrics/gpu/forecast"""
        return self._call("GET", "/api/v0/metrics/gpu/forecast", query={"gpu_name": gpu_name, "verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "gpus": gpus, "price": price, "source": source})

    def get_gpu_terms(self, *, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, source: str | Sequence[str] | None = None) -> GetGpuTermsAnswer:
        """Terms of listings now: GET /api/v0/metrics/gpu/terms"""
        return self._call("GET", "/api/v0/metrics/gpu/terms", query={"verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "source": source})

    def get_gpu_locations(self, *, source: str | Sequence[str] | None = None) -> GetGpuLocationsAnswer:
        """GPU locations now: GET /api/v0/metrics/gpu/locations"""
        return self._call("GET", "/api/v0/metrics/gpu/locations", query={"source": source})

    def list_gpu_names(self, *, source: str | Sequence[str] | None = None) -> ListGpuNamesAnswer:
        """GPU names: GET /api/v0/metrics/gpu/names"""
        return self._call("GET", "/api/v0/metrics/gpu/names", query={"source": source})

    def list_machine_positions(self, *, verified: Literal["yes", "no", "all"] | None = None, hosting_type: Literal["all", "secure_cloud", "community"] | None = None, num_gpus: str | Sequence[str] | None = None, gpu_memory: str | Sequence[str] | None = None, limit: int | None = None, after: int | None = None, id: int | None = None, figures: Literal["yes", "no"] | None = None, source: str | Sequence[str] | None = None) -> ListMachinePositionsAnswer:
        """Own machines in the market: GET /api/v0/metrics/machines"""
        return self._call("GET", "/api/v0/metrics/machines", query={"verified": verified, "hosting_type": hosting_type, "num_gpus": num_gpus, "gpu_memory": gpu_memory, "limit": limit, "after": after, "id": id, "figures": figures, "source": source})

    def replay_machine(self, id: int | str, *, days: int | None = None, rule: Literal["hold", "follow", "drop"] | None = None, price: float | None = None, percentile: int | None = None, drop: int | None = None, source: str | Sequence[str] | None = None) -> MachineReplay:
        """What an own machine would have earned at another price: GET /api/v0/metrics/machines/{id}/replay"""
        return self._call("GET", f"/api/v0/metrics/machines/{quote(str(id), safe='')}/replay", query={"days": days, "rule": rule, "price": price, "percentile": percentile, "drop": drop, "source": source})

    def read_costs(self, *, source: str | Sequence[str] | None = None) -> ReadCostsAnswer:
        """The costs of own machines: GET /api/v0/metrics/costs"""
        return self._call("GET", "/api/v0/metrics/costs", query={"source": source})

    def write_costs(self, body: EnteredCostsInput, *, source: str | Sequence[str] | None = None) -> Success:
        """Enter the costs of own machines: PUT /api/v0/metrics/costs"""
        return self._call("PUT", "/api/v0/metrics/costs", query={"source": source}, body=body)

    def write_machine_costs(self, id: int | str, body: EnteredCostsInput, *, source: str | Sequence[str] | None = None) -> Success:
        """Enter the costs of an own machine: PUT /api/v0/metrics/costs/machines/{id}"""
        return self._call("PUT", f"/api/v0/metrics/costs/machines/{quote(str(id), safe='')}", query={"source": source}, body=body)

    def forget_machine_costs(self, id: int | str, *, source: str | Sequence[str] | None = None) -> Success:
        """Delete the costs of a machine: DELETE /api/v0/metrics/costs/machines/{id}"""
        return self._call("DELETE", f"/api/v0/metrics/costs/machines/{quote(str(id), safe='')}", query={"source": source})

    def list_sources(self) -> ListSourcesAnswer:
        """Sources of the market: GET /api/v0/metrics/sources"""
        return self._call("GET", "/api/v0/metrics/sources")

    def read_claims(self, *, source: str | Sequence[str] | None = None) -> ReadClaimsAnswer:
        """Own machines in the markets of sources: GET /api/v0/metrics/claims"""
        return self._call("GET", "/api/v0/metrics/claims", query={"source": source})

    def write_claim(self, body: WriteClaimBody) -> WriteClaimAnswer:
        """Claim machines of a source: PUT /api/v0/metrics/claims"""
        return self._call("PUT", "/api/v0/metrics/claims", body=body)

    def forget_claim(self, *, source: str | Sequence[str] | None = None) -> Success:
        """Delete the claim on a source: DELETE /api/v0/metrics/claims"""
        return self._call("DELETE", "/api/v0/metrics/claims", query={"source": source})

    def find_machines(self, *, id: int, source: str | Sequence[str] | None = None) -> FindMachinesAnswer:
        """Find machines of a source by an id: GET /api/v0/metrics/claims/find"""
        return self._call("GET", "/api/v0/metrics/claims/find", query={"source": source, "id": id})

    def list_alerts(self) -> ListAlertsAnswer:
        """List alert rules: GET /api/v0/alerts"""
        return self._call("GET", "/api/v0/alerts")

    def create_alert(self, body: AlertRuleSettingsInput) -> WrittenAlertRule:
        """Create an alert rule: POST /api/v0/alerts"""
        return self._call("POST", "/api/v0/alerts", body=body)

    def get_alert(self, id: int | str) -> AlertRuleAnswer:
        """Get an alert rule: GET /api/v0/alerts/{id}"""
        return self._call("GET", f"/api/v0/alerts/{quote(str(id), safe='')}")

    def change_alert(self, id: int | str, body: AlertRuleSettingsInput) -> WrittenAlertRule:
        """Change an alert rule: PUT /api/v0/alerts/{id}"""
        return self._call("PUT", f"/api/v0/alerts/{quote(str(id), safe='')}", body=body)

    def delete_alert(self, id: int | str) -> Success:
        """Delete an alert rule: DELETE /api/v0/alerts/{id}"""
        return self._call("DELETE", f"/api/v0/alerts/{quote(str(id), safe='')}")

    def silence_alert(self, id: int | str, body: SilenceAlertBody) -> AlertRuleAnswer:
        """Silence an alert rule: PUT /api/v0/alerts/{id}/silence"""
        return self._call("PUT", f"/api/v0/alerts/{quote(str(id), safe='')}/silence", body=body)

    def test_alert(self, id: int | str) -> TestAlertAnswer:
        """Test the delivery of an alert rule: POST /api/v0/alerts/{id}/test"""
        return self._call("POST", f"/api/v0/alerts/{quote(str(id), safe='')}/test")

    def try_alert(self, body: TryAlertBody) -> TryAlertAnswer:
        """Try an alert rule on past data: POST /api/v0/alerts/try"""
        return self._call("POST", "/api/v0/alerts/try", body=body)

    def list_alert_messages(self, *, rule_id: int | str | None = None, limit: int | None = None, after_token: str | Sequence[str] | None = None) -> ListAlertMessagesAnswer:
        """List alert messages: GET /api/v0/alerts/messages"""
        return self._call("GET", "/api/v0/alerts/messages", query={"rule_id": rule_id, "limit": limit, "after_token": after_token})

    def read_alert_feed(self) -> bytes:
        """Alerts as an Atom feed: GET /api/v0/alerts/feed"""
        return self._call("GET", "/api/v0/alerts/feed")

    def open_alert_feed(self) -> OpenAlertFeedAnswer:
        """Create a feed address: POST /api/v0/alerts/feed"""
        return self._call("POST", "/api/v0/alerts/feed")

    def close_alert_feed(self) -> Success:
        """Revoke the feed address: DELETE /api/v0/alerts/feed"""
        return self._call("DELETE", "/api/v0/alerts/feed")

    def read_alert_feed_by_address(self, token: int | str) -> bytes:
        """Alerts as an Atom feed, without a key: GET /api/v0/alerts/feed/{token}"""
        return self._call("GET", f"/api/v0/alerts/feed/{quote(str(token), safe='')}")

    def list_autopilot_rules(self) -> ListAutopilotRulesAnswer:
        """List autopilot rules: GET /api/v0/metrics/autopilot/rules"""
        return self._call("GET", "/api/v0/metrics/autopilot/rules")

    def create_autopilot_rule(self, body: AutopilotRuleSettingsInput) -> WrittenAutopilotRule:
        """Create an autopilot rule: POST /api/v0/metrics/autopilot/rules"""
        return self._call("POST", "/api/v0/metrics/autopilot/rules", body=body)

    def change_autopilot_rule(self, id: int | str, body: AutopilotRuleSettingsInput) -> WrittenAutopilotRule:
        """Change an autopilot rule: PUT /api/v0/metrics/autopilot/rules/{id}"""
        return self._call("PUT", f"/api/v0/metrics/autopilot/rules/{quote(str(id), safe='')}", body=body)

    def delete_autopilot_rule(self, id: int | str) -> Success:
        """Delete an autopilot rule: DELETE /api/v0/metrics/autopilot/rules/{id}"""
        return self._call("DELETE", f"/api/v0/metrics/autopilot/rules/{quote(str(id), safe='')}")

    def set_autopilot_stage(self, id: int | str, body: SetAutopilotStageBody) -> SetAutopilotStageAnswer:
        """Set the stage of an autopilot rule: PUT /api/v0/metrics/autopilot/rules/{id}/stage"""
        return self._call("PUT", f"/api/v0/metrics/autopilot/rules/{quote(str(id), safe='')}/stage", body=body)

    def replay_autopilot_rule(self, id: int | str) -> ReplayAutopilotRuleAnswer:
        """What a dry run of an autopilot rule would have earned: GET /api/v0/metrics/autopilot/rules/{id}/replay"""
        return self._call("GET", f"/api/v0/metrics/autopilot/rules/{quote(str(id), safe='')}/replay")

    def list_autopilot_suggestions(self) -> ListAutopilotSuggestionsAnswer:
        """What autopilot rules would do now: GET /api/v0/metrics/autopilot/suggestions"""
        return self._call("GET", "/api/v0/metrics/autopilot/suggestions")

    def list_autopilot_decisions(self, *, rule_id: int | str | None = None, limit: int | None = None, after_token: str | Sequence[str] | None = None) -> ListAutopilotDecisionsAnswer:
        """The ledger of the autopilot: GET /api/v0/metrics/autopilot/decisions"""
        return self._call("GET", "/api/v0/metrics/autopilot/decisions", query={"rule_id": rule_id, "limit": limit, "after_token": after_token})

    def undo_autopilot_decision(self, id: int | str) -> UndoAutopilotDecisionAnswer:
        """Undo the last change of a machine: POST /api/v0/metrics/autopilot/decisions/{id}/undo"""
        return self._call("POST", f"/api/v0/metrics/autopilot/decisions/{quote(str(id), safe='')}/undo")

    def stop_autopilot(self, body: StopAutopilotBody) -> StopAutopilotAnswer:
        """Stop the autopilot, or let it go on: PUT /api/v0/metrics/autopilot/stop"""
        return self._call("PUT", "/api/v0/metrics/autopilot/stop", body=body)

    def apply_prices(self, body: ApplyPricesBody) -> ApplyPricesAnswer:
        """Change prices of own machines once: POST /api/v0/metrics/autopilot/apply"""
        return self._call("POST", "/api/v0/metrics/autopilot/apply", body=body)

    def audit_autopilot(self, *, limit: int | None = None, after_token: str | Sequence[str] | None = None) -> AuditAutopilotAnswer:
        """What the autopilot decided for whom: GET /api/v0/metrics/autopilot/audit"""
        return self._call("GET", "/api/v0/metrics/autopilot/audit", query={"limit": limit, "after_token": after_token})

    def get_list_prices(self, *, gpu_name: str | Sequence[str] | None = None, start: int | None = None, gpu_memory: str | Sequence[str] | None = None, end: int | None = None, step: int | None = None) -> GetListPricesAnswer:
        """Prices of clouds: GET /api/v0/metrics/gpu/list-prices"""
        return self._call("GET", "/api/v0/metrics/gpu/list-prices", query={"gpu_name": gpu_name, "start": start, "gpu_memory": gpu_memory, "end": end, "step": step})

    def run_sql(self, body: SqlStatementInput) -> Any:
        """Ad hoc SQL: POST /api/v0/metrics/sql"""
        return self._call("POST", "/api/v0/metrics/sql", body=body)

    def get_sql_schema(self) -> GetSqlSchemaAnswer:
        """Tables for ad hoc SQL: GET /api/v0/metrics/sql/schema"""
        return self._call("GET", "/api/v0/metrics/sql/schema")

    def list_sql_queries(self, *, mine: str | Sequence[str] | None = None, limit: int | None = None, after_token: str | Sequence[str] | None = None) -> list[AuditedQuery]:
        """Who ran what: GET /api/v0/metrics/sql/queries"""
        return self._call("GET", "/api/v0/metrics/sql/queries", query={"mine": mine, "limit": limit, "after_token": after_token})

    def list_saved_sql_queries(self) -> list[SavedQuery]:
        """Saved queries: GET /api/v0/metrics/sql/saved"""
        return self._call("GET", "/api/v0/metrics/sql/saved")

    def save_sql_query(self, body: SaveSqlQueryBody) -> SuccessId:
        """Save a query: POST /api/v0/metrics/sql/saved"""
        return self._call("POST", "/api/v0/metrics/sql/saved", body=body)

    def delete_saved_sql_query(self, id: int | str) -> Success:
        """Delete a saved query: DELETE /api/v0/metrics/sql/saved/{id}"""
        return self._call("DELETE", f"/api/v0/metrics/sql/saved/{quote(str(id), safe='')}")

    def create_sql_download(self, body: SqlStatementInput) -> CreateSqlDownloadAnswer:
        """Create a download ticket: POST /api/v0/metrics/sql/downloads"""
        return self._call("POST", "/api/v0/metrics/sql/downloads", body=body)

    def download_sql_result(self, token: int | str) -> Any:
        """A download: GET /api/v0/metrics/sql/downloads/{token}"""
        return self._call("GET", f"/api/v0/metrics/sql/downloads/{quote(str(token), safe='')}")

    def list_sql_dashboards(self) -> ListSqlDashboardsAnswer:
        """List dashboards: GET /api/v0/metrics/sql/dashboards"""
        return self._call("GET", "/api/v0/metrics/sql/dashboards")

    def create_sql_dashboard(self, body: CreateSqlDashboardBody) -> SuccessId:
        """Create a dashboard: POST /api/v0/metrics/sql/dashboards"""
        return self._call("POST", "/api/v0/metrics/sql/dashboards", body=body)

    def get_sql_dashboard(self, id: int | str) -> GetSqlDashboardAnswer:
        """A dashboard: GET /api/v0/metrics/sql/dashboards/{id}"""
        return self._call("GET", f"/api/v0/metrics/sql/dashboards/{quote(str(id), safe='')}")

    def change_sql_dashboard(self, id: int | str, body: ChangeSqlDashboardBody) -> ChangeSqlDashboardAnswer:
        """Change a dashboard: PUT /api/v0/metrics/sql/dashboards/{id}"""
        return self._call("PUT", f"/api/v0/metrics/sql/dashboards/{quote(str(id), safe='')}", body=body)

    def delete_sql_dashboard(self, id: int | str) -> Success:
        """Delete a dashboard: DELETE /api/v0/metrics/sql/dashboards/{id}"""
        return self._call("DELETE", f"/api/v0/metrics/sql/dashboards/{quote(str(id), safe='')}")

    def share_chart(self, body: SharedChartInput) -> ShareChartAnswer:
        """Share a chart by a link: POST /api/v0/shares"""
        return self._call("POST", "/api/v0/shares", body=body)

    def list_shared_charts(self) -> ListSharedChartsAnswer:
        """List shared charts: GET /api/v0/shares"""
        return self._call("GET", "/api/v0/shares")

    def revoke_shared_chart(self, id: int | str) -> Success:
        """Revoke the link of a chart: DELETE /api/v0/shares/{id}"""
        return self._call("DELETE", f"/api/v0/shares/{quote(str(id), safe='')}")

    def read_shared_chart(self, token: int | str) -> ReadSharedChartAnswer:
        """Read a shared chart: GET /api/v0/shared/{token}"""
        return self._call("GET", f"/api/v0/shared/{quote(str(token), safe='')}")

    def read_shared_picture(self, token: int | str) -> bytes:
        """Read a shared chart as a picture: GET /api/v0/shared/{token}/picture"""
        return self._call("GET", f"/api/v0/shared/{quote(str(token), safe='')}/picture")

    def offer_volumes(self, body: OfferVolumesBody) -> OfferVolumesAnswer:
        """Offer volumes on machines: POST /api/v0/volumes"""
        return self._call("POST", "/api/v0/volumes", body=body)

    def list_rented_volumes(self, *, type: Literal["all_volume", "local_volume", "network_volume"] | None = None) -> ListRentedVolumesAnswer:
        """List rented volumes: GET /api/v0/volumes"""
        return self._call("GET", "/api/v0/volumes", query={"type": type})

    def list_machine_volumes(self, id: int | str) -> ListMachineVolumesAnswer:
        """List the volumes of a machine: GET /api/v0/machines/{id}/volumes"""
        return self._call("GET", f"/api/v0/machines/{quote(str(id), safe='')}/volumes")

    def unlist_volume(self, body: UnlistVolumeBody) -> SuccessMessage:
        """End a volume listing: POST /api/v0/volumes/unlist"""
        return self._call("POST", "/api/v0/volumes/unlist", body=body)

    def search_volumes(self, body: SearchVolumesBody) -> SearchVolumesAnswer:
        """Search volume listings: POST /api/v0/volumes/search"""
        return self._call("POST", "/api/v0/volumes/search", body=body)

    def list_machines(self) -> ListMachinesAnswer:
        """List own machines: GET /api/v0/machines"""
        return self._call("GET", "/api/v0/machines")

    def get_machine(self, id: int | str) -> list[Machine]:
        """Get an own machine: GET /api/v0/machines/{id}"""
        return self._call("GET", f"/api/v0/machines/{quote(str(id), safe='')}")

    def page_machines(self, *, limit: int | None = None, after_token: str | Sequence[str] | None = None) -> PageMachinesAnswer:
        """List own machines in pages: GET /api/v1/machines"""
        return self._call("GET", "/api/v1/machines", query={"limit": limit, "after_token": after_token})

    def get_instance(self, id: int | str) -> GetInstanceAnswer:
        """Get an instance: GET /api/v0/instances/{id}"""
        return self._call("GET", f"/api/v0/instances/{quote(str(id), safe='')}")

    def page_instances(self, *, select_filters: str | Sequence[str] | None = None, order_by: str | Sequence[str] | None = None, limit: int | None = None, after_token: str | Sequence[str] | None = None) -> PageInstancesAnswer:
        """List instances in pages: GET /api/v1/instances"""
        return self._call("GET", "/api/v1/instances", query={"select_filters": select_filters, "order_by": order_by, "limit": limit, "after_token": after_token})

    def list_instance_filters(self) -> ListInstanceFiltersAnswer:
        """List the values to filter instances by: GET /api/v0/instances/filters"""
        return self._call("GET", "/api/v0/instances/filters")

    def start_cloud_copy(self, body: CloudCopyInput) -> StartedCloudCopy:
        """Copy between an instance and a cloud: POST /api/v0/commands/copytool"""
        return self._call("POST", "/api/v0/commands/copytool", body=body)

    def start_rclone_copy(self, body: CloudCopyInput) -> StartedCloudCopy:
        """Copy between an instance and a cloud: POST /api/v0/commands/rclone"""
        return self._call("POST", "/api/v0/commands/rclone", body=body)

    def read_cloud_copy_log(self, id: int | str) -> bytes:
        """Read the log of a copy: GET /api/v0/commands/copytool/results/{id}"""
        return self._call("GET", f"/api/v0/commands/copytool/results/{quote(str(id), safe='')}")

    def list_host_tasks(self, id: int | str) -> ListHostTasksAnswer:
        """List the tasks that wait for a machine: GET /api/v0/machines/{id}/tasks"""
        return self._call("GET", f"/api/v0/machines/{quote(str(id), safe='')}/tasks")

    def fetch_host_task(self, token: int | str) -> FetchHostTaskAnswer:
        """Fetch a task: POST /api/v0/host_tasks/{token}/fetch"""
        return self._call("POST", f"/api/v0/host_tasks/{quote(str(token), safe='')}/fetch")

    def append_host_task_log(self, token: int | str, body: AppendHostTaskLogBody) -> AppendHostTaskLogAnswer:
        """Append to a task's log: POST /api/v0/host_tasks/{token}/log"""
        return self._call("POST", f"/api/v0/host_tasks/{quote(str(token), safe='')}/log", body=body)

    def finish_host_task(self, token: int | str, body: FinishHostTaskBody) -> Success:
        """Finish a task: POST /api/v0/host_tasks/{token}/finish"""
        return self._call("POST", f"/api/v0/host_tasks/{quote(str(token), safe='')}/finish", body=body)

    def list_cloud_connections(self) -> list[ListCloudConnectionsAnswer]:
        """List cloud connections: GET /api/v0/users/cloud_integrations"""
        return self._call("GET", "/api/v0/users/cloud_integrations")

    def save_cloud_connection(self, body: SaveCloudConnectionBody | SaveCloudConnectionBody2 | SaveCloudConnectionBody3 | SaveCloudConnectionBody4 | SaveCloudConnectionBody5) -> SuccessId:
        """Save a cloud connection: POST /api/v0/users/cloud_integrations"""
        return self._call("POST", "/api/v0/users/cloud_integrations", body=body)

    def delete_cloud_connection(self, id: int | str) -> Success:
        """Delete a cloud connection: DELETE /api/v0/users/cloud_integrations/{id}"""
        return self._call("DELETE", f"/api/v0/users/cloud_integrations/{quote(str(id), safe='')}")

    def send_email_code(self, body: SendEmailCodeBody | None) -> SendEmailCodeAnswer:
        """Send a 2FA code by e-mail: POST /api/v0/tfa/email"""
        return self._call("POST", "/api/v0/tfa/email", body=body)

    def regenerate_backup_codes(self, body: TfaProofInput) -> RegenerateBackupCodesAnswer:
        """Replace the 2FA backup codes: PUT /api/v0/tfa/regen-backup-codes"""
        return self._call("PUT", "/api/v0/tfa/regen-backup-codes", body=body)

    def log_in_with_tfa(self, body: TfaProofInput) -> LogInWithTfaAnswer:
        """Get a session key with a 2FA code: POST /api/v0/tfa"""
        return self._call("POST", "/api/v0/tfa", body=body)

    def remove_tfa_method(self, body: RemoveTfaMethodBody) -> RemoveTfaMethodAnswer:
        """Remove a 2FA method: DELETE /api/v0/tfa"""
        return self._call("DELETE", "/api/v0/tfa", body=body)

    def authorize_tfa_method(self, body: AuthorizeTfaMethodBody | None) -> AuthorizeTfaMethodAnswer:
        """Authorize a new 2FA method: POST /api/v0/tfa/authorize-new-method"""
        return self._call("POST", "/api/v0/tfa/authorize-new-method", body=body)

    def grant_tfa_method(self, body: GrantTfaMethodBody) -> SuccessMessage:
        """Complete the authorization of a 2FA method: PUT /api/v0/tfa/authorize-new-method"""
        return self._call("PUT", "/api/v0/tfa/authorize-new-method", body=body)

    def set_up_totp(self, body: SetUpTotpBody | None) -> SetUpTotpAnswer:
        """Set up an authenticator app: POST /api/v0/tfa/totp-setup"""
        return self._call("POST", "/api/v0/tfa/totp-setup", body=body)

    def send_sms_code(self, body: SmsCodeRequestInput | None) -> SentSmsCode:
        """Send a 2FA code by SMS: POST /api/v0/tfa/test"""
        return self._call("POST", "/api/v0/tfa/test", body=body)

    def send_tfa_sms(self, body: SmsCodeRequestInput | None) -> SentSmsCode:
        """Send a 2FA code by SMS: POST /api/v0/tfa/sms"""
        return self._call("POST", "/api/v0/tfa/sms", body=body)

    def resend_sms_code(self, body: SmsChallengeInput) -> ResentSmsCode:
        """Send a new code for an SMS challenge: POST /api/v0/tfa/resend"""
        return self._call("POST", "/api/v0/tfa/resend", body=body)

    def resend_tfa_sms(self, body: SmsChallengeInput) -> ResentSmsCode:
        """Send a new code for an SMS challenge: POST /api/v0/tfa/sms/resend"""
        return self._call("POST", "/api/v0/tfa/sms/resend", body=body)

    def confirm_tfa_method(self, body: TfaConfirmationInput) -> ConfirmTfaMethodAnswer:
        """Confirm a 2FA method: POST /api/v0/tfa/test-submit"""
        return self._call("POST", "/api/v0/tfa/test-submit", body=body)

    def activate_tfa_method(self, body: TfaConfirmationInput) -> ActivateTfaMethodAnswer:
        """Confirm an authorized 2FA method: POST /api/v0/tfa/confirm-new"""
        return self._call("POST", "/api/v0/tfa/confirm-new", body=body)

    def get_tfa_status(self) -> GetTfaStatusAnswer:
        """List 2FA methods: GET /api/v0/tfa/status"""
        return self._call("GET", "/api/v0/tfa/status")

    def update_tfa_method(self, body: UpdateTfaMethodBody) -> UpdateTfaMethodAnswer:
        """Update a 2FA method: PUT /api/v0/tfa/update"""
        return self._call("PUT", "/api/v0/tfa/update", body=body)

    def save_templates(self, user_id: int | str, body: SaveTemplatesBody) -> TemplateLibrary:
        """Save templates to the library: POST /api/v0/users/{user_id}/templates"""
        return self._call("POST", f"/api/v0/users/{quote(str(user_id), safe='')}/templates", body=body)

    def list_templates(self, user_id: int | str) -> TemplateLibrary:
        """List the template library: GET /api/v0/users/{user_id}/templates"""
        return self._call("GET", f"/api/v0/users/{quote(str(user_id), safe='')}/templates")

    def search_templates(self, *, select_filters: str | Sequence[str] | None = None, order_by: str | Sequence[str] | None = None, limit: int | None = None, after_token: str | Sequence[str] | None = None) -> SearchTemplatesAnswer:
        """Search templates: GET /api/v0/template"""
        return self._call("GET", "/api/v0/template", query={"select_filters": select_filters, "order_by": order_by, "limit": limit, "after_token": after_token})

    def create_template(self, body: CreateTemplateBody) -> SavedTemplate:
        """Create a template: POST /api/v0/template"""
        return self._call("POST", "/api/v0/template", body=body)

    def edit_template(self, body: EditTemplateBody) -> SavedTemplate:
        """Edit a template: PUT /api/v0/template"""
        return self._call("PUT", "/api/v0/template", body=body)

    def delete_template(self, body: DeleteTemplateBody) -> SuccessMessage:
        """Delete a template: DELETE /api/v0/template"""
        return self._call("DELETE", "/api/v0/template", body=body)

    def create_team(self, body: CreateTeamBody) -> SuccessId:
        """Create a team: POST /api/v0/team"""
        return self._call("POST", "/api/v0/team", body=body)

    def list_teams(self) -> list[Team]:
        """List teams: GET /api/v0/team"""
        return self._call("GET", "/api/v0/team")

    def rename_team(self, body: RenameTeamBody) -> SuccessMessage:
        """Rename the team: PUT /api/v0/team"""
        return self._call("PUT", "/api/v0/team", body=body)

    def delete_team(self, body: dict[str, Any] | None) -> SuccessMessage:
        """Delete the team: DELETE /api/v0/team"""
        return self._call("DELETE", "/api/v0/team", body=body)

    def transfer_team(self, body: TransferTeamBody) -> SuccessMessage:
        """Transfer the team to another owner: PUT /api/v0/team/transfer"""
        return self._call("PUT", "/api/v0/team/transfer", body=body)

    def get_team_role(self, id: int | str) -> TeamRole:
        """Get a team role by name: GET /api/v0/team/roles/{id}"""
        return self._call("GET", f"/api/v0/team/roles/{quote(str(id), safe='')}")

    def change_team_role(self, id: int | str, body: ChangeTeamRoleBody) -> SuccessMessage:
        """Change a team role: PUT /api/v0/team/roles/{id}"""
        return self._call("PUT", f"/api/v0/team/roles/{quote(str(id), safe='')}", body=body)

    def delete_team_role(self, id: int | str, body: DeleteTeamRoleBody | None) -> Removed:
        """Delete a team role: DELETE /api/v0/team/roles/{id}"""
        return self._call("DELETE", f"/api/v0/team/roles/{quote(str(id), safe='')}", body=body)

    def list_team_roles(self) -> list[TeamRole]:
        """List the roles of the team: GET /api/v0/team/roles"""
        return self._call("GET", "/api/v0/team/roles")

    def create_team_role(self, body: CreateTeamRoleBody) -> SuccessId:
        """Create a team role: POST /api/v0/team/roles"""
        return self._call("POST", "/api/v0/team/roles", body=body)

    def list_assignable_team_roles(self) -> list[ListAssignableTeamRolesAnswer]:
        """List the roles that members can have: GET /api/v0/team/roles-full"""
        return self._call("GET", "/api/v0/team/roles-full")

    def assign_team_role(self, id: int | str, body: AssignTeamRoleBody) -> AssignTeamRoleAnswer:
        """Assign a role to a team member: POST /api/v0/team/members/{id}/roles"""
        return self._call("POST", f"/api/v0/team/members/{quote(str(id), safe='')}/roles", body=body)

    def change_team_member_role(self, id: int | str, body: ChangeTeamMemberRoleBody) -> ChangeTeamMemberRoleAnswer:
        """Change a team member's role: PUT /api/v0/team/members/{id}/roles"""
        return self._call("PUT", f"/api/v0/team/members/{quote(str(id), safe='')}/roles", body=body)

    def list_team_members(self, *, limit: int | None = None, after_token: str | Sequence[str] | None = None) -> list[TeamMember]:
        """List the members of the team: GET /api/v0/team/members"""
        return self._call("GET", "/api/v0/team/members", query={"limit": limit, "after_token": after_token})

    def invite_team_member(self, body: InviteTeamMemberBody | None, *, email: str | None | None = None, role: str | None | None = None) -> SuccessMessage:
        """Invite a member to the team: POST /api/v0/team/members"""
        return self._call("POST", "/api/v0/team/members", query={"email": email, "role": role}, body=body)

    def remove_team_member(self, id: int | str) -> Removed:
        """Remove a member from the team: DELETE /api/v0/team/members/{id}"""
        return self._call("DELETE", f"/api/v0/team/members/{quote(str(id), safe='')}")

    def invite_to_team(self, body: InviteToTeamBody | None, *, email: str | None | None = None, role: str | None | None = None) -> SuccessMessage:
        """Invite a member to the team: POST /api/v0/team/invite"""
        return self._call("POST", "/api/v0/team/invite", query={"email": email, "role": role}, body=body)

    def list_team_invitations(self) -> list[ListTeamInvitationsAnswer]:
        """List open invitations: GET /api/v0/team/invitations"""
        return self._call("GET", "/api/v0/team/invitations")

    def withdraw_team_invitation(self, email: int | str) -> Success:
        """Withdraw an invitation: DELETE /api/v0/team/invitations/{email}"""
        return self._call("DELETE", f"/api/v0/team/invitations/{quote(str(email), safe='')}")

    def join_team(self, body: JoinTeamBody) -> Success:
        """Accept an invitation to a team: POST /api/v0/team/join"""
        return self._call("POST", "/api/v0/team/join", body=body)

    def leave_team(self, body: LeaveTeamBody) -> Success:
        """Leave a team: POST /api/v0/team/leave"""
        return self._call("POST", "/api/v0/team/leave", body=body)

    def update_scheduled_job(self, id: int | str, body: JobFieldsInput) -> SavedJob:
        """Update a scheduled job: PUT /api/v0/commands/schedule_job/{id}"""
        return self._call("PUT", f"/api/v0/commands/schedule_job/{quote(str(id), safe='')}", body=body)

    def delete_scheduled_job(self, id: int | str) -> SavedJob:
        """Delete a scheduled job: DELETE /api/v0/commands/schedule_job/{id}"""
        return self._call("DELETE", f"/api/v0/commands/schedule_job/{quote(str(id), safe='')}")

    def create_scheduled_job(self, body: JobFieldsInput) -> SavedJob:
        """Create a scheduled job: POST /api/v0/commands/schedule_job"""
        return self._call("POST", "/api/v0/commands/schedule_job", body=body)

    def list_scheduled_jobs(self) -> list[ListScheduledJobsAnswer]:
        """List scheduled jobs: GET /api/v0/commands/schedule_job"""
        return self._call("GET", "/api/v0/commands/schedule_job")

    def list_ssh_keys(self) -> list[SshKey]:
        """List SSH keys: GET /api/v0/ssh"""
        return self._call("GET", "/api/v0/ssh")

    def add_ssh_key(self, body: AddSshKeyBody) -> SshKeyAnswer:
        """Add an SSH key: POST /api/v0/ssh"""
        return self._call("POST", "/api/v0/ssh", body=body)

    def change_ssh_key(self, id: int | str, body: ChangeSshKeyBody) -> SshKeyAnswer:
        """Change an SSH key: PUT /api/v0/ssh/{id}"""
        return self._call("PUT", f"/api/v0/ssh/{quote(str(id), safe='')}", body=body)

    def delete_ssh_key(self, id: int | str) -> Success:
        """Delete an SSH key: DELETE /api/v0/ssh/{id}"""
        return self._call("DELETE", f"/api/v0/ssh/{quote(str(id), safe='')}")

    def get_sign_in_offer(self) -> GetSignInOfferAnswer:
        """Get the ways to sign in: GET /api/v0/auth/sign-in"""
        return self._call("GET", "/api/v0/auth/sign-in")

    def sign_in_by_mail(self, body: SignInByMailBody) -> SignInByMailAnswer:
        """Sign in with a mailed link or short code: POST /api/v0/auth/sign-in"""
        return self._call("POST", "/api/v0/auth/sign-in", body=body)

    def sign_out(self) -> SignOutAnswer:
        """Sign out: DELETE /api/v0/auth/sign-in"""
        return self._call("DELETE", "/api/v0/auth/sign-in")

    def mail_sign_in_link(self, body: MailSignInLinkBody) -> MailSignInLinkAnswer:
        """Mail a link to sign in: POST /api/v0/auth/sign-in/mail"""
        return self._call("POST", "/api/v0/auth/sign-in/mail", body=body)

    def look_at_sign_in_link(self, body: LookAtSignInLinkBody) -> LookAtSignInLinkAnswer:
        """Look at a link or short code to sign in: POST /api/v0/auth/sign-in/look"""
        return self._call("POST", "/api/v0/auth/sign-in/look", body=body)

    def list_api_keys(self) -> ListApiKeysAnswer:
        """List API keys: GET /api/v0/auth/apikeys"""
        return self._call("GET", "/api/v0/auth/apikeys")

    def create_api_key(self, body: CreateApiKeyBody) -> CreateApiKeyAnswer:
        """Create an API key: POST /api/v0/auth/apikeys"""
        return self._call("POST", "/api/v0/auth/apikeys", body=body)

    def get_api_key(self, id: int | str) -> ApiKey:
        """Get an API key: GET /api/v0/auth/apikeys/{id}"""
        return self._call("GET", f"/api/v0/auth/apikeys/{quote(str(id), safe='')}")

    def revoke_api_key(self, id: int | str) -> RevokeApiKeyAnswer:
        """Revoke an API key: DELETE /api/v0/auth/apikeys/{id}"""
        return self._call("DELETE", f"/api/v0/auth/apikeys/{quote(str(id), safe='')}")

    def reset_api_key(self, body: dict[str, Any] | None) -> ResetApiKeyAnswer:
        """Replace the API key of the request: PUT /api/v0/commands/reset_apikey"""
        return self._call("PUT", "/api/v0/commands/reset_apikey", body=body)
