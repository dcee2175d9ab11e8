-- From when on (unix seconds) all observations are there; 0: from the first on. An hour late, since ClickHouse has a clock of its own.
SELECT greatest(gone_before, extract(epoch FROM rackrate_now())::bigint - days * 86400 + 3600) AS since FROM retention
