#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print one metric of the only launch in a `--csv --page raw` report. The column is found by nvprof or ncu name.
usage: value.py REPORT.csv METRIC"""
import csv
import sys

NCU = {
    "gld_transactions": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "gst_transactions": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "gld_efficiency": "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "gst_efficiency": "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
}
rows = [row for row in csv.DictReader(open(sys.argv[1], newline="")) if row["ID"] != ""]
if len(rows) != 1:
    sys.exit("expected one launch, found %d" % len(rows))
name = sys.argv[2] if sys.argv[2] in rows[0] else NCU[sys.argv[2]]
print(rows[0][name].replace(",", ""))
