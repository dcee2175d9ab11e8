-- From when on (unix seconds) all observations are there; 0: from the first on.
SELECT greatest(gone_before, extract(epoch FROM now())::bigint - days * 86400) AS since FROM retention
