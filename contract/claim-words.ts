/** What is said of a key of a claim that can do more than it is needed for. */
export const keyCanDoMore =
  "This key can do more than read machines and earnings: it can list the account's API keys. machine_read and billing_read are enough; the autopilot also needs machine_write."
