#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare counters recorded with ncu on a GPU with Softwarp's, launch by launch; both are `--csv --page raw` tables.

usage: compare.py GOLDEN.csv OURS.csv DIFFERENCES.txt [--table]
Exact metrics must be equal and rule metrics within what was measured and a margin, unless DIFFERENCES.txt names the kernel, the metric and the reason;
a reason for something that does not differ is an error too, so that the list cannot rot. PTX-level metrics are listed only.
The same reader reads both files: it is the test that our CSV can stand in for ncu's."""
import csv
import sys

GLOBAL = ["l1tex__t_%s_pipe_lsu_mem_global_op_%s.sum" % (what, op) for op in ("ld", "st", "atom", "red") for what in ("requests", "sectors")
          if (op, what) not in (("atom", "sectors"), ("red", "sectors"))]
EXACT = GLOBAL + ["smsp__sass_inst_executed_op_global_ld.sum", "smsp__sass_inst_executed_op_global_st.sum", "memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal",
                  "launch__grid_size", "launch__block_size", "launch__thread_count", "launch__shared_mem_per_block_static",
                  "launch__shared_mem_per_block_dynamic", "launch__occupancy_limit_blocks", "launch__occupancy_limit_warps"]
# Exact as long as ptxas keeps PTX's accesses: each exception is named.
LOCAL = ["l1tex__t_%s_pipe_lsu_mem_local_op_%s.sum" % (what, op) for op in ("ld", "st") for what in ("requests", "sectors")] + ["memory_l2_theoretical_sectors_local"]
COPIES = ["smsp__sass_l1tex_t_%s_pipe_lsu_mem_global_op_ldgsts.sum" % what for what in ("requests", "sectors")] + [
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum",
    "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum",
    "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red.sum"]
EXACT += LOCAL + COPIES
RULE = ["l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum" % op for op in ("atom", "red")] + ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum" % op for op in ("ld", "st", "atom")] + ["memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"]
RULE += ["l1tex__t_requests_pipe_tex_mem_texture.sum", "l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum", "l1tex__t_requests_pipe_tex_mem_surface_op_st.sum",
         "l1tex__t_sectors_pipe_tex_mem_texture.sum", "l1tex__t_sectors_pipe_tex_mem_surface_op_ld.sum", "l1tex__t_sectors_pipe_tex_mem_surface_op_st.sum"]
PTX_LEVEL = ["smsp__inst_executed.sum", "smsp__thread_inst_executed.sum", "smsp__thread_inst_executed_pred_on.sum",
             "smsp__sass_branch_targets_threads_divergent.sum", "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
             "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "launch__registers_per_thread"]


# Per cent: the largest difference of a rule value that is not named, when last measured, and what a test allows more.
RULE_MEASURED, RULE_MARGIN = 4.2, 0.5


def number(text):
    return float(text.replace(",", "")) if text not in ("", None) else None


def read(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    return [row for row in rows if row["ID"] != ""]  # the row under the header holds units


def read_differences(path):
    table = {}
    for line in open(path):
        line = line.split("#")[0].strip()
        if line:
            kernel, metric, reason = line.split(None, 2)
            table[(kernel, metric)] = [reason, 0]
    return table


def main():
    golden, ours, known = read(sys.argv[1]), read(sys.argv[2]), read_differences(sys.argv[3])
    bad = exact = rule = named = 0
    ratios, worst = {}, (0.0, "-", "-", "-")
    if len(golden) != len(ours):
        sys.exit("%d launches recorded, %d from Softwarp" % (len(golden), len(ours)))
    for want, got in zip(golden, ours):
        kernel = want["Kernel Name"].split("(")[0]
        if got["Kernel Name"].split("(")[0] != kernel:
            sys.exit("launch %s: recorded %s, ours %s" % (want["ID"], kernel, got["Kernel Name"]))
        for metric in EXACT + RULE:
            w, g = number(want.get(metric)), number(got.get(metric))
            if w is None:
                continue
            if g is None and (kernel, metric) in known:
                known[(kernel, metric)][1] += 1
                named += 1
                continue
            if g is None:
                print("launch %s %s: %s is missing" % (want["ID"], kernel, metric))
                bad += 1
                continue
            off = abs(g - w) / max(w, 1)
            same = off == 0 if metric in EXACT else 100 * off <= RULE_MEASURED + RULE_MARGIN
            key = (kernel, metric)
            if same:
                worst = max(worst, (100 * off, want["ID"], kernel, metric))
            if same:
                exact += metric in EXACT
                rule += metric in RULE
            elif key in known:
                known[key][1] += 1
                named += 1
            else:
                print("launch %s %s: %s is %g, hardware counts %g" % (want["ID"], kernel, metric, g, w))
                bad += 1
        for metric in PTX_LEVEL:
            w, g = number(want.get(metric)), number(got.get(metric))
            if w and g is not None:
                ratios.setdefault(metric, []).append((g / w, want["ID"], kernel))
    for (kernel, metric), (reason, count) in known.items():
        if count == 0:
            print("%s %s is named as different (%s), but it is equal" % (kernel, metric, reason))
            bad += 1
    print("%d launches: %d exact values equal, %d rule values within %.2f %%, %d differences named, %d unexplained" % (len(golden), exact, rule, RULE_MEASURED + RULE_MARGIN, named, bad))
    print("largest difference of a rule value: %.2f %% (launch %s %s: %s)" % worst)
    print("PTX-level, ours / hardware (lowest, median, highest):")
    for metric, values in ratios.items():
        values.sort()
        print("  %-52s %.2f (%s)  %.2f  %.2f (%s)" % (metric, values[0][0], values[0][2], values[len(values) // 2][0], values[-1][0], values[-1][2]))
        if "--table" in sys.argv:
            for ratio, launch, kernel in values:
                print("    %-4s %-22s %.3f" % (launch, kernel, ratio))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
