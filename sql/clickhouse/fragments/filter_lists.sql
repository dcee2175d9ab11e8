-- Whether a row of the cube has one of some filters of GPU names, whose lists belong together element by element; `{{filter_lists}}` in other files.
-- Parameters: gpus Array(String), and a list of each filter.
(gpu_name, toString(cube.verified), toString(cube.hosting_type), num_gpus)
    IN arrayZip({gpus:Array(String)}, {verified:Array(String)}, {hosting_type:Array(String)}, {num_gpus:Array(UInt16)})
