-- {{spec_types}}: the type of the text of specs of an observation (contract/spec-names.ts).
'Tuple(Nullable(Float64), Nullable(Float64), Nullable(Float64), Nullable(Float64), Nullable(String), Nullable(Float64), Nullable(Float64), Nullable(Float64), Nullable(Float64), Nullable(String), Nullable(Float64), Nullable(UInt16), Nullable(Bool), Nullable(Float64))'
