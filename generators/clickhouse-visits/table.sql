CREATE TABLE visits
(
    at DateTime,
    visitor UInt32,
    page String,
    status UInt16,
    duration_ms UInt32
)
ENGINE = MergeTree
ORDER BY (page, at)
