#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Libraries of Python's packages find Softwarp's, whichever folder they name: by DT_RPATH, by DT_RUNPATH, by a whole path; also where
# a script starts Python. usage: packages.sh BUILD SOURCE-TREE
set -u
build=$1 softwarp=$1/bin/softwarp
. "$(dirname "$0")/../support/script.sh"
enter_work
python=$(command -v python3)
mkdir package
for library in libcudart.so.13:cudaGetDeviceCount libcuda.so.1:cuDriverGetVersion; do
    file=${library%%:*} function=${library##*:}
    printf 'int %s(int *count);\nint %s(int *count)\n{\n    *count = -7;\n    return 0;\n}\n' "$function" "$function" > fake.c
    must "${CC:-cc}" -shared -fPIC -Wl,-soname,"$file" -o "package/$file" fake.c
    printf 'int %s(int *count);\nint probe(void);\nint probe(void)\n{\n    int n = -1;\n    %s(&n);\n    return n;\n}\n' "$function" \
        "$function" > module.c
    must "${CC:-cc}" -shared -fPIC -o "${function}_rpath.so" module.c -Lpackage -l:"$file" -Wl,--disable-new-dtags,-rpath,"$work/package"
    must "${CC:-cc}" -shared -fPIC -o "${function}_runpath.so" module.c -Lpackage -l:"$file" -Wl,--enable-new-dtags,-rpath,"$work/package"
    cat > "$function.py" << END
import ctypes

for way in "rpath", "runpath":
    print(way, ctypes.CDLL("./${function}_%s.so" % way).probe())
count = ctypes.c_int(-1)
ctypes.CDLL("$work/package/$file").$function(ctypes.byref(count))
print("path", count.value)
END
    must "$python" "$function.py"
    [ "$(grep -c -e '-7$' out)" = 3 ] || fail "without Softwarp the package's own library is found"
    must "$softwarp" run "$python" "$function.py"
    if [ "$(wc -l < out)" != 3 ] || grep -q -e '-7$' out; then fail "$file of the package was found"; fi
done
printf 'int other(void);\nint other(void)\n{\n    return 5;\n}\n' > other.c
must "${CC:-cc}" -shared -fPIC -o libother.so other.c
cat > thread.py << END
import ctypes, threading

thread = threading.Thread(target=lambda: print(ctypes.CDLL("$work/libother.so").other()))
thread.start()
thread.join()
END
expect 0 '^5$' "$softwarp" run "$python" thread.py # the auditor is asked in a thread
printf '#!/bin/sh\nexec "%s" cudaGetDeviceCount.py\n' "$python" > start
chmod +x start
must "$softwarp" run ./start
if [ "$(wc -l < out)" != 3 ] || grep -q -e '-7$' out; then fail 'a script that starts Python: the library of the package was found'; fi
exit $failed
