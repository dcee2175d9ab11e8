-- Advice to try a price is kept like advice to raise or lower one.
ALTER TABLE price_advice DROP CONSTRAINT price_advice_verdict_check;
ALTER TABLE price_advice ADD CONSTRAINT price_advice_verdict_check CHECK (verdict IN ('raise', 'lower', 'try'));
