#!/usr/bin/env bash
# How costs grow: synthetic recordings of 100 thousand markers and up, by tens, as a Markdown table.
# usage: growth.sh PROGRAM [LARGEST]   LARGEST: 10000000 unless given
set -euo pipefail
program=$1
largest=${2:-10000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$folder}"


printf '| markers | file MB | load ms | MB/s | bytes a marker | peak MB | frame CPU p50 ms | p99 ms | whole frame p99 ms |\n'
printf '|---|---|---|---|---|---|---|---|---|\n'
count=100000
while [ "$count" -le "$largest" ]; do
  file=$folder/$count.json
  "$program" synth --markers "$count" -o "$file"
  "$program" info "$file" --json > "$folder/info"
  "$program" bench "$file" --seconds 5 --json > "$folder/bench"
  python3 - "$folder/info" "$folder/bench" <<'PY'
import json, sys
info, bench = (json.load(open(path)) for path in sys.argv[1:3])
size, total = info["file_bytes"] / 1e6, info["load_ms"]["total"]
memory, markers = info["memory"], info["markers"]
cpu, frame = bench["cpu_ms"], bench["frame_ms"]
print(f'| {markers:,} | {size:,.0f} | {total:,.0f} | {size / total * 1000:,.0f} | {memory["index_bytes"] / markers:.0f} '
      f'| {memory["peak_bytes"] / 1e6:,.0f} | {cpu["p50"]:.2f} | {cpu["p99"]:.2f} | {frame["p99"]:.1f} |')
PY
  rm -f "$file"
  count=$((count * 10))
done
