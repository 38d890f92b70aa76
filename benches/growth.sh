#!/usr/bin/env bash
# How costs grow: synthetic recordings of 100 thousand markers and up, by tens, as a Markdown table.
# usage: growth.sh PROGRAM [LARGEST] [FORMAT]   LARGEST: 10000000 unless given; FORMAT: firefox (unless given) or chrome
set -euo pipefail
program=$1
largest=${2:-10000000}
format=${3:-firefox}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$folder}"


printf '| markers | file MB | load ms | MB/s | bytes a marker | peak MB | flows | flow graph ms | bytes a membership | enter flow p99 ms | next p99 ms | frame CPU p50 ms | p99 ms | whole frame p99 ms |\n'
printf '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n'
count=100000
while [ "$count" -le "$largest" ]; do
  file=$folder/$count.json
  "$program" synth --markers "$count" --format "$format" -o "$file"
  # What was written must not be on its way to the disk while the rest is timed.
  sync "$file"
  : > "$folder/info"
  : > "$folder/bench"
  for _ in 1 2 3; do
    "$program" info "$file" --json >> "$folder/info"
    "$program" bench "$file" --seconds 5 --json >> "$folder/bench"
  done
  python3 - "$folder/info" "$folder/bench" <<'PY'
import json, sys
# Of three runs, each figure's median: these machines are shared and noisy.
infos, benches = ([json.loads(line) for line in open(path)] for path in sys.argv[1:3])
median = lambda values: sorted(values)[1]
info = infos[0]
size, total = info["file_bytes"] / 1e6, median([run["load_ms"]["total"] for run in infos])
memory, markers = info["memory"], info["markers"]
cpu = {key: median([run["cpu_ms"][key] for run in benches]) for key in ("p50", "p99")}
graph = median([run["load_ms"]["flows"] for run in infos])
enter, step = (median([run["interactions_ms"][key]["p99"] for run in benches]) for key in ("enter_flow", "next_in_flow"))
frame = {"p99": median([run["frame_ms"]["p99"] for run in benches])}
print(f'| {markers:,} | {size:,.0f} | {total:,.0f} | {size / total * 1000:,.0f} | {memory["index_bytes"] / markers:.0f} '
      f'| {memory["peak_bytes"] / 1e6:,.0f} | {info["flows"]:,} | {graph:,.0f} | {memory["flow_bytes"] / info["memberships"]:.1f} '
      f'| {enter:.2f} | {step:.2f} | {cpu["p50"]:.2f} | {cpu["p99"]:.2f} | {frame["p99"]:.1f} |')
PY
  rm -f "$file"
  count=$((count * 10))
done
