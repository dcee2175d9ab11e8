-- Specs of machines that snapshots record, since they cannot be found out later. NULL: not known. A value that is not possible counts as not known
-- (contract/specs-text.ts). disk_space exists already.
ALTER TABLE machines
  ADD COLUMN inet_up             numeric,                                 -- Mbit/s
  ADD COLUMN inet_down           numeric,                                 -- Mbit/s
  ADD COLUMN disk_bw             numeric,                                 -- MB/s
  ADD COLUMN cpu_name            text,
  ADD COLUMN cpu_cores_effective numeric,                                 -- of the whole machine
  ADD COLUMN cpu_ram             numeric,                                 -- MB, of the whole machine
  ADD COLUMN pcie_bw             numeric,                                 -- GB/s
  ADD COLUMN gpu_mem_bw          numeric,                                 -- GB/s
  ADD COLUMN driver_version      text,
  ADD COLUMN cuda_max_good       numeric,
  ADD COLUMN direct_port_count   integer,
  ADD COLUMN static_ip           boolean,
  ADD COLUMN score               numeric;

-- A figure as JSON, with three significant digits. NULL: it is not possible, or it was not measured, which marketplaces write as 0.
CREATE FUNCTION spec_figure(figure numeric, most numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN figure >= 0.001 AND figure <= most THEN trim_scale(round(figure, 2 - floor(log(figure))::int))::text END
$$;

CREATE FUNCTION spec_text(value text, pattern text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN btrim(value) ~ pattern THEN '"' || btrim(value) || '"' END
$$;

-- Computed when a machine is written, so that a snapshot only reads them. left_out_specs: the number of given values that are not possible.
ALTER TABLE machines
  ADD COLUMN specs text NOT NULL GENERATED ALWAYS AS (
    '['
    || coalesce(spec_figure(inet_up, 1e6), 'null')
    || ',' || coalesce(spec_figure(inet_down, 1e6), 'null')
    || ',' || coalesce(spec_figure(disk_bw, 1e6), 'null')
    || ',' || coalesce(spec_figure(disk_space, 1e7), 'null')
    || ',' || coalesce(spec_text(cpu_name, '^[^"\\[:cntrl:]]{1,100}$'), 'null')
    || ',' || coalesce(spec_figure(cpu_cores_effective, 1e4), 'null')
    || ',' || coalesce(spec_figure(cpu_ram, 1e8), 'null')
    || ',' || coalesce(spec_figure(pcie_bw, 1e4), 'null')
    || ',' || coalesce(spec_figure(gpu_mem_bw, 1e5), 'null')
    || ',' || coalesce(spec_text(driver_version, '^\d{1,5}(\.\d{1,5}){1,3}$'), 'null')
    || ',' || coalesce(spec_figure(cuda_max_good, 100), 'null')
    || ',' || coalesce(CASE WHEN direct_port_count BETWEEN 0 AND 65535 THEN direct_port_count::text END, 'null')
    || ',' || coalesce(CASE static_ip WHEN true THEN 'true' WHEN false THEN 'false' END, 'null')
    || ',' || coalesce(spec_figure(score, 1e6), 'null')
    || ']'
  ) STORED,
  ADD COLUMN left_out_specs integer NOT NULL GENERATED ALWAYS AS (
    num_nonnulls(
      nullif(inet_up, 0), nullif(inet_down, 0), nullif(disk_bw, 0), nullif(disk_space, 0), nullif(btrim(cpu_name), ''),
      nullif(cpu_cores_effective, 0), nullif(cpu_ram, 0), nullif(pcie_bw, 0), nullif(gpu_mem_bw, 0), nullif(btrim(driver_version), ''),
      nullif(cuda_max_good, 0), direct_port_count, static_ip, nullif(score, 0)
    )
    - num_nonnulls(
      spec_figure(inet_up, 1e6),
      spec_figure(inet_down, 1e6),
      spec_figure(disk_bw, 1e6),
      spec_figure(disk_space, 1e7),
      spec_text(cpu_name, '^[^"\\[:cntrl:]]{1,100}$'),
      spec_figure(cpu_cores_effective, 1e4),
      spec_figure(cpu_ram, 1e8),
      spec_figure(pcie_bw, 1e4),
      spec_figure(gpu_mem_bw, 1e5),
      spec_text(driver_version, '^\d{1,5}(\.\d{1,5}){1,3}$'),
      spec_figure(cuda_max_good, 100),
      CASE WHEN direct_port_count BETWEEN 0 AND 65535 THEN direct_port_count::text END,
      CASE static_ip WHEN true THEN 'true' WHEN false THEN 'false' END,
      spec_figure(score, 1e6)
    )
  ) STORED;
