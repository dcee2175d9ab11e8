/** What the names of figures and columns mean, one sentence each. A name that says it all is not here. */
export const definitions: Readonly<Record<string, string>> = {
  // of the market
  'Rented median': 'Half of the rented GPUs cost this much an hour or less.',
  'Available median': 'Half of the GPUs on offer ask this much an hour or less.',
  'Available, 7 days': 'How much the available median has changed in seven days.',
  Occupancy: 'The share of the GPUs on the market that is rented.',
  'Free GPUs': 'GPUs of listed machines that nobody rents.',
  'Hours to rent': 'How long a free GPU waits for a renter, on average over seven days.',
  'Minimum bid':
    'The lowest price an hour at which a renter may be interrupted. The market has the median; the price desk what an hour must earn to be worth it.',
  'Cloud from': 'The lowest list price of a cloud, on demand.',
  'All GPUs': 'Rented and free GPUs. Machines that are offline or not listed do not count.',
  // of own machines
  'Rented now': 'How many of its GPUs are rented, or for how long none was.',
  'Occupancy, 7 days': 'The share of its GPU hours that was rented in the last seven days.',
  Income: 'What renters paid for it, before power and fees.',
  'Net a day': 'Income a day less power, fees and fixed costs.',
  RGI: 'Revenue generation index: what a GPU of it earns, in percent of what those of comparable machines earn. 100 is as much.',
  'Needs attention': 'What a machine loses a day while it is offline, idle or wrongly priced, as estimated.',
  // of a price
  'Expected occupancy':
    'The share of the time for which the machine will be rented at this price, as estimated from the market.',
  'Income a day': 'The price times the expected occupancy, for all GPUs of the machine.',
  'Time to rent': 'How long a free machine waits for a renter at this price.',
  'GPUs cheaper than yours': 'Free GPUs of the same class that ask less.',
  'Recommended price': 'The price that is expected to earn most, in steps that the data support.',
  'Breaks even at': 'The price at which income covers all costs, at the expected occupancy.',
  'Keep powered on?': 'Whether an idle machine is expected to earn more than its power costs.',
  Payback: 'How long the net income takes to add up to the purchase price.',
}
