-- Terms of a listing that snapshots record, since they cannot be found out later. Its end is expires_at. NULL: not known.
ALTER TABLE gpu_listings
  ADD COLUMN min_bid             numeric(18, 9) CHECK (min_bid >= 0),                         -- USD per GPU-hour, for interruptible rentals
  ADD COLUMN credit_discount_max numeric(10, 9) CHECK (credit_discount_max BETWEEN 0 AND 1),  -- for credit paid in advance
  ADD COLUMN storage_cost        numeric(18, 9) CHECK (storage_cost >= 0),                    -- USD per GB and month
  ADD COLUMN inet_up_cost        numeric(18, 9) CHECK (inet_up_cost >= 0),                    -- USD per GB sent
  ADD COLUMN inet_down_cost      numeric(18, 9) CHECK (inet_down_cost >= 0);                  -- USD per GB received
ALTER TABLE machines
  ADD COLUMN reliability numeric(10, 9) CHECK (reliability BETWEEN 0 AND 1);                  -- what the marketplace holds of it
