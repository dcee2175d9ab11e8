/** The meaning of figures and columns, one sentence each. Names that need no explanation are left out. */
export const definitions: Readonly<Record<string, string>> = {
  // of the market
  'Rented median': 'Half of the rented GPUs cost this much per hour or less.',
  'Available median': 'Half of the available GPUs cost this much per hour or less.',
  Cheapest: 'The lowest price of a free GPU. With a rig size: of a machine whose GPUs are all free.',
  'Available p10': 'A tenth of the available GPUs cost this much per hour or less.',
  'Price change, 7 days': 'The change of the available median in seven days.',
  thin: 'The prices come from fewer than 5 machines or 3 hosts, so a change of them says little.',
  Occupancy: 'The share of the GPUs on the market that are rented.',
  'Net per GPU': 'What a GPU of such machines left per day on the market, after the costs that are known.',
  'Payback, 95 %':
    'The months until a GPU at this price is paid back, with the interval of the mean of such machines.',
  'Usual range': 'Half of the single machines earned between these amounts per GPU and day, before costs.',
  'First rental': 'Half of the new machines were rented for the first time within this time.',
  'Supply, 30 days': 'The growth of the GPUs of this class within 30 days.',
  Free: 'GPUs of listed machines that are not rented.',
  'Hours until rented': 'The mean time that a free GPU waits for a renter, over seven days.',
  'Minimum bid':
    'The lowest hourly price of an interruptible rental. In the market: the median; on the price desk: the lowest price that covers the cost of a rented hour.',
  'Cloud from': 'The lowest on-demand list price of a cloud.',
  GPUs: 'Rented and free GPUs. Machines that are offline or not listed do not count.',
  // of own machines
  'Rented now': 'How many of its GPUs are rented, or how long it has been idle.',
  'Occupancy, 7 days': 'The share of its GPU-hours that were rented in the last seven days.',
  'Earned, 7 days': 'What renters paid for it in the last seven days, before power and fees.',
  'Net a day': 'Daily income minus power, fees and fixed costs.',
  RGI: 'Revenue generation index: its revenue per GPU in percent of that of comparable machines. 100 is the same.',
  Advice: 'The price to set, or what is wrong, with the estimated gain or loss of a day.',
  // of a price
  'Expected occupancy': 'The estimated share of time for which the machine will be rented at this price.',
  'Income a day': 'The price times the expected occupancy, for all GPUs of the machine.',
  'Time to rent': 'How long a free machine waits for a renter at this price.',
  'GPUs cheaper than yours': 'Free GPUs of the same class with a lower price.',
  'Recommended price': 'The price expected to earn the most, reached in steps that the data support.',
  'Breaks even at': 'The price at which income covers all costs, at the expected occupancy.',
  'Keep powered on?': 'Whether an idle machine is expected to earn more than its power costs.',
  Payback: 'How long the net income takes to cover the purchase price.',
}
