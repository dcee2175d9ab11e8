/** A warning about a claim's key that has more permissions than needed. */
export const keyCanDoMore =
  "This key can do more than read machines and earnings: it can list the account's API keys. machine_read and billing_read are enough; the autopilot also needs machine_write."
