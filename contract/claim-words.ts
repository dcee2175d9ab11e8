/** What is said of a key of a claim that can do more than it is needed for. */
export const keyCanDoMore =
  'This key can do more than read machines and earnings: the marketplace shows the keys of the account to it. One with machine_read and billing_read is enough, and the autopilot needs machine_write as well.'
