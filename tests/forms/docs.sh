#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: docs.sh FORMS_MAKE TABLE SOURCE-TREE    docs/ptx.md is what the tables say.
"$1" docs "$2" "$3/tests/forms" | diff "$3/docs/ptx.md" - || { echo "build the target docs-ptx"; exit 1; }
