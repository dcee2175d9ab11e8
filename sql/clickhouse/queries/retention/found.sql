-- Just past the newest slot whose observations are gone while later ones are there; 0 when there is none.
SELECT if(count() = 0, 0, toUnixTimestamp(max(slot)) + 1) AS gone_before
FROM slots FINAL
WHERE ready AND observations > 0 AND slot < (SELECT min(slot) FROM observations)
