#!/usr/bin/env bash
# Measures how costs grow with the size of synthetic recordings, from 100,000 markers up in powers of ten.
# Prints two Markdown tables: one for loading and one for use.
# usage: growth.sh PROGRAM [LARGEST] [FORMAT] [RUNS]
#   LARGEST: number of markers (default: 10000000); FORMAT: firefox (default) or chrome; RUNS: number of runs
#   (default: 3); the tables contain the medians
set -euo pipefail
program=$1
largest=${2:-10000000}
format=${3:-firefox}
runs=${4:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$folder}"

count=100000
while [ "$count" -le "$largest" ]; do
  file=$folder/$count.json
  "$program" synth --markers "$count" --format "$format" -o "$file"
  # Pending disk writes would disturb the measurements.
  sync "$file"
  for _ in $(seq "$runs"); do
    "$program" info "$file" --no-cache --json >> "$folder/info.$count"
    "$program" bench "$file" --no-cache --seconds 15 --json >> "$folder/bench.$count"
  done
  rm -f "$file"
  count=$((count * 10))
done

python3 - "$folder" "$largest" <<'PY'
import json, sys
folder, largest = sys.argv[1], int(sys.argv[2])
median = lambda values: sorted(values)[len(values) // 2]
rows = []
count = 100_000
while count <= largest:
    infos, benches = ([json.loads(line) for line in open(f"{folder}/{name}.{count}")] for name in ("info", "bench"))
    rows.append((infos, benches))
    count *= 10

def table(heads, cells):
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(cells(*row)) + " |")
    print()

def loading(infos, _):
    first = infos[0]
    step = lambda name: median([run["load_ms"].get(name, 0) for run in infos])
    total, markers, memory = step("total"), first["markers"], first["memory"]
    peak = median([run["memory"]["peak_bytes"] for run in infos])
    steps = [step(name) for name in ("scan", "parse", "derive", "rows", "pyramid", "flows")]
    return [f"{markers:,}", f'{first["file_bytes"] / 1e6:,.0f}', f"{step('picture'):,.0f} / {total:,.0f}", f'{first["json_bytes"] / total / 1e3:,.0f}',
            " / ".join(f"{value:,.0f}" for value in steps), f'{memory["index_bytes"] / markers:.1f}', f"{peak / markers:.0f}"]

def using(_, benches):
    quantile = lambda group, key: median([run[group][key] for run in benches])
    at = lambda name, key: median([run["interactions_ms"][name][key] for run in benches])
    return [f'{benches[0]["markers"]:,}', f'{quantile("cpu_ms", "p50"):.2f} / {quantile("cpu_ms", "p99"):.2f}',
            f'{quantile("frame_ms", "p50"):.1f} / {quantile("frame_ms", "p99"):.1f}',
            f'{quantile("input_ms", "p99"):.1f}', f'{at("search_first_hits", "p50"):.0f} / {at("search_all_hits", "p50"):.0f}',
            f'{at("switch_layout", "p99"):.0f}', f'{at("expand_thread", "p99"):.0f}', f'{at("enter_flow", "p99"):.2f} / {at("enter_flow_complete", "p99"):.2f}',
            f'{at("next_in_flow", "p99"):.2f} / {at("next_in_flow_complete", "p99"):.2f}', f'{at("sort_by_duration", "p50"):.0f}']

table(["markers", "file MB", "all markers / complete ms", "MB/s", "scan / parse / derive / rows / pyramid / flows ms", "bytes per marker", "peak bytes per marker"], loading)
table(["markers", "frame CPU p50 / p99 ms", "whole frame p50 / p99 ms", "input to submit p99 ms", "search, first / all hits ms",
       "switch layout ms", "expand thread ms", "enter flow, shown / complete p99 ms", "next, shown / complete p99 ms", "sort by duration ms"], using)
PY
