#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: table.py CC SOURCE_DIR OUT    Writes the tables of the API fuzzer: functions, the types of their parameters, the
fields of records, the values of enumerations. Types come from our headers; which functions are done, and the names and
types of parameters, from the .def files and the definitions of src/driver. What a parameter means (a count, a size, a
path) follows from its name (CLASSES), with exceptions (EXCEPTIONS). Of the libraries that stand in for NVIDIA's the headers say
all; pointers to numbers are a device's, where their name does not say that they are the host's (HOST)."""
import glob
import os
import re
import subprocess
import sys

cc, root, out_path = sys.argv[1:4]
include = os.path.join(root, "cuda", "include")

# What a number or a pointer means, by the name of the parameter or field: the first that fits.
CLASSES = [
    ("RESERVED", r"reserved|padding"),
    ("FD", r"^fd$|^os_?handle$|^shareable_?handle$"),
    ("FLAGS", r"flags?$"),
    ("DEVICE", r"^(src|dst|peer)?_?(device|ordinal|dev)$|^id$|^peer$"),
    ("SOURCE", r"^source$"),
    ("WORDS", r"^options$"),
    ("IMAGE", r"^(image|code|fat_?cubin|fat_?bin)$"),
    ("PATH", r"^(path|file|file_?name|fname)$"),
    ("PARAMS", r"^(args|params|kernel_?params)$"),
    ("EXTRA", r"^extra$"),
    ("OPTIONS", r"values$"),
    ("OPTION_COUNT", r"^(jit|option)_?count$|^num(jit|library)?options$"),
    ("CHANNELS", r"channels$"),
    ("COUNT", r"count|^num|number|^n$|length$|_len$|^len$|entries|levels"),
    ("BLOCK", r"^block(_?dim)?_?[xyz]?$|^b[xyz]$"),
    ("DIM", r"^grid|dim_?[xyz]$|clusterdim|^g[xyz]$"),
    ("FUNC", r"^(func|symbol|host_?function)$"),
    ("ROWS", r"height|depth|^(src|dst)?_?[yz]$"),
    ("SIZE", r"size|bytes|width|height|depth|pitch|offset|^[xyz]$|^(src|dst)_?[xyz]$|lod$|extent|row_?length"),
    ("COPIED", r"^(src|dst|to|from)s?$"),
    ("ANY", r"^(ptr|pointer|dev_?ptr|dptr|address|addr|base)$"),
]
# (function pattern, parameter pattern): class. Counts are those of arrays that the caller made; fills and copies count bytes.
EXCEPTIONS = [
    (r"ExportToShareableHandle", r"handle$", "NONE"),
    (r"^cu(da)?(Memset|Memcpy(?!.*Batch))", r"^(count|n)$", "SIZE"),
    (r"^cuda\w*Node\w*(Symbol|1D)$", r"^count$", "SIZE"),
    (r"^cu(da)?MemRangeGetAttribute", r"size|bytes", "COUNT"),
    (r"ProcAddress|EntryPoint|ExportTable|UnifiedFunction", r"function|fptr|pfn|table|out", "CODE"),
    (r"^(cuLink|nvJitLink)AddData", r"^(size|bytes)$", "IMAGE_BYTES"),
    (r"^(cuLink|nvJitLink)AddData", r"^data$", "IMAGE"),
    (r"^cublasLt", r"count$", "COUNT"),
    (r"^nccl(?!Comm)", r"^count$", "SIZE"),
    (r"^ncclComm", r"^(ranks|rank)$", "COUNT"),
    (r"^cuptiActivityGetNextRecord|^nvml", r"size|length|count", "COUNT"),
    (r"^nvrtcCreateProgram", r"^(headers|\w*names)$", "SOURCE"),
    (r"^cuPointerGetAttributes", r"^(data|values|list)$", "PARAMS"),
    (r"^cu(da)?MemRangeGetAttributes", r"^data$", "OPTIONS"),
    (r"^cuModuleLoad$|LoadFromFile|^cuLinkAddFile", r"name|path|file", "PATH"),
    (r"^cu(da)?(Coredump|Logs)", r"path|file", "PATH"),
]
# Functions of the stand-in libraries: library, headers. api_libraries in api_table.c has the same order.
LIBRARIES = [("cublas", ["cublas_v2.h"]), ("cufft", ["cufft.h", "cufftXt.h"]), ("curand", ["curand.h"]),
             ("cusparse", ["cusparse.h"]),
             ("cusolver", ["cusolverDn.h", "cusolverSp.h", "cusolverSp_LOWLEVEL_PREVIEW.h", "cusolverRf.h"]),
             ("cublasLt", ["cublasLt.h"]), ("nccl", ["nccl.h"]), ("nvrtc", ["nvrtc.h"]), ("nvJitLink", ["nvJitLink.h"]),
             ("nvml", ["nvml.h"]), ("cupti", ["cupti.h"])]
# The same names with other parameters, so that these cannot be declared beside the others.
OLDER = {"cublas": "cublas.h"}
# (function pattern, parameter pattern): pointers to host memory. All of functions that move data between both are COPIED.
HOST = [
    (r"^(?!cusolverSp)", r"^(alpha|beta|result|threshold|tol|vl|vu|param|lwork\w*|bytes|size|version|value|position|rows|cols|meig|"
     r"iterations|idx_base|\w*type|host\w*|n|inembed|onembed|plan|nnz\w*|percentage|\w*_?bytes|\w*size|mode|base|"
     r"\w*_array|group_\w+|ld[abc]_?\w*array)$"),
    (r"^cublas\w*[Rr]ot", r"^[^xy]$|^[dxy][12]$"),
    (r"^cusolverSp", r"^(singularity|position|\w*_bytes)$"),
    (r"^cusolver(Sp|Rf)\w*Host$|^cusolverRf(Access|\w*Pivot)|^cusolver\w*(Get|Set(?!up))|^cusparse\w*(Get|Query)|^cu(rand|fft)\w*(Get|Set|Estimate|Query)", r""),
    (r"^cublas(Xt)?Get", r""),
    (r"^cublas\w*(getrs|gels|geqrf)Batched$", r"^info$"),
    (r"^cublasLt", r"^(devices|value|\w*ids|\w*count|buf)$"),
    (r"^cublas[SDCZ]rotm?g?$", r"^(a|b|c|s|[dxy][12]|param)$"),
    (r"^nccl", r"^(?!(send|receive|memory)$)"),
    (r"^cusparse", r"^(num_prods|fraction_to_color|ncolors|boost_val)$"),
    (r"^cusparse\w*nnz$|roti", r"^(c|s|nnz\w*)$"),
]
# Calls that NVIDIA's documentation lets crash: descriptors of cuBLASLt are the caller's memory, so what is none is not found.
LEFT_OUT = r"^cublasLt\w*(Init_internal|Desc\w*Destroy|LayoutDestroy|PreferenceDestroy|SetFile)$|^cublasAlloc$"
PLAIN = r"cublasLt(MatrixLayout|MatmulDesc|MatmulPreference|MatrixTransformDesc|EmulationDesc)_t"
# Generators of the host write to its memory: they are a kind of their own, whose counts are those of small arrays.
HOST_GENERATOR = "curandHostGenerator_t"
COPIES = r"^cublas(Set|Get)(Vector|Matrix)"
RESULTS = {"cudaGetErrorName": "const char *", "cudaGetErrorString": "const char *",
           "cudaCreateChannelDesc": "struct cudaChannelFormatDesc"}  # of functions that do not return a status
# Where the C library keeps no such thing: records that one call writes and another reads.
KEPT = {"CUipcMemHandle", "CUipcEventHandle", "CUmemPoolPtrExportData", "CUdevResource", "CUtensorMap", "CUuuid",
        "cudaIpcMemHandle_t", "cudaIpcEventHandle_t", "struct cudaMemPoolPtrExportData"}
NUMBER_HANDLES = {"CUdeviceptr": "CUdeviceptr", "CUtexObject": "texture", "CUsurfObject": "surface",
                  "CUmemGenericAllocationHandle": "pages", "CUgraphConditionalHandle": "conditional",
                  "cudaTextureObject_t": "texture", "cudaSurfaceObject_t": "surface",
                  "cudaGraphConditionalHandle": "conditional", "cufftHandle": "cufftHandle"}
SAME = {"cudaArray": "CUarray_st", "cudaMipmappedArray": "CUmipmappedArray_st", "CUexternalMemory_st": "CUextMemory_st",
        "cudaAsyncCallbackEntry": "CUasyncCallbackEntry_st", "CUexternalSemaphore_st": "CUextSemaphore_st"}  # the runtime's names of the driver's records


def preprocessed(*headers):
    source = "".join(f"#include <{header}>\n" for header in headers)
    text = subprocess.run([cc, "-E", "-P", "-I", include, "-x", "c", "-"], input=source, capture_output=True, text=True,
                          check=True).stdout
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    return re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__extension__", "", text)


class Types:
    """Named types of the headers: enum -> values, record -> fields, handle -> class, scalar, callback."""

    def __init__(self, text):
        self.tokens = re.findall(r"\w+|\.\.\.|\S", text)
        self.at = 0
        self.names = {}
        while self.at < len(self.tokens):
            self.declaration()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def skip_group(self, opening, closing):
        depth = 0
        while self.at < len(self.tokens):
            token = self.next()
            depth += (token == opening) - (token == closing)
            if depth == 0:
                return

    def rest(self):
        """The tokens up to the end of a declaration."""
        start, depth = self.at, 0
        while self.at < len(self.tokens):
            token = self.next()
            depth += (token in "({[") - (token in ")}]")
            if token == ";" and depth == 0:
                return self.tokens[start:self.at - 1]
            if token == "}" and depth == 0 and "(" in self.tokens[start:self.at]:  # a function's body
                return []
        return []

    def declaration(self):
        typedef = self.peek() == "typedef"
        start = self.at
        if typedef:
            self.next()
        body = None
        word = self.peek()
        if word in ("struct", "union", "enum"):
            self.next()
            tag = self.next() if re.match(r"\w", self.peek()) else None
            if self.peek() == "{":
                body = self.values() if word == "enum" else ("record", self.fields())
                if tag:
                    self.names[f"{word} {tag}"] = body
            elif not typedef:
                self.at = start
        rest = self.rest()
        if not typedef or not rest:
            return
        if body:
            for name in "".join(rest).split(","):
                if re.fullmatch(r"\w+", name):
                    self.names[name] = body
        elif "(" in rest and rest[rest.index("(") + 1] == "*":
            self.names[rest[rest.index("(") + 2]] = ("callback",)
        elif word in ("struct", "union", "enum") and rest[:1] == ["*"]:
            self.names[rest[1]] = ("handle", SAME.get(tag, tag))
        elif word in ("struct", "union", "enum") and len(rest) == 1:
            self.names[rest[0]] = ("same", f"{word} {tag}")
        elif rest[0] == "const" and "*" in rest:
            self.names[rest[-1]] = ("handle", SAME.get(rest[2], rest[2]))
        else:
            text = " ".join(rest)
            m = re.fullmatch(r"([\w ]+?) (\w+(?: , \w+)*)", text)
            if m:
                for name in m[2].split(" , "):
                    self.names[name] = ("same", m[1])

    def values(self):
        self.next()
        names = []
        while self.peek() not in ("}", ""):
            names.append(self.next())
            while self.peek() not in (",", "}"):
                self.next()
            if self.peek() == ",":
                self.next()
        self.next()
        return ("enum", names)

    def fields(self, prefix=""):
        """(path, type, array) of all members, those of records without a type of their own one by one."""
        self.next()
        found = []
        while self.peek() not in ("}", ""):
            if self.peek() in ("struct", "union") and "{" in self.tokens[self.at + 1:self.at + 3]:
                self.next()
                if self.peek() != "{":
                    self.next()
                inner = self.fields()
                names = self.rest()
                if not names:
                    found += inner
                for name in "".join(names).split(",") if names else []:
                    name = re.sub(r"\[.*", "[0]", name)
                    found += [(f"{name}.{path}", kind, count) for path, kind, count in inner]
                continue
            words = self.rest()
            text = " ".join(words)
            if "(" in text:
                m = re.search(r"\( \* (\w+)", text)
                if m:
                    found.append((m[1], "(*)", False))
                continue
            parts = re.sub(r"\s*\[.*?\]", "[]", text).split(",")
            m = re.match(r"(.*?)((?:\* )*\w+(?:\[\])*)$", parts[0].strip())
            if not m:
                continue
            base = m[1].strip()
            for part in [m[2]] + parts[1:]:
                part = part.strip()
                if ":" in part:
                    continue
                stars = part.count("*")
                name = re.sub(r"[^\w]", "", part)
                found.append((name, base + " *" * stars, "[]" in part))
        self.next()
        return found


STAND_INS = preprocessed(*(header for _, headers in LIBRARIES for header in headers))
driver, runtime = Types(preprocessed("cuda.h")), Types(preprocessed("cuda_runtime_api.h"))
names = {**Types(STAND_INS).names, **runtime.names, **driver.names}
SCALARS = {"char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "unsigned int", "long",
           "unsigned long", "long unsigned int", "long long", "unsigned long long", "size_t", "cuuint64_t", "cuuint32_t",
           "uint64_t", "uint32_t", "signed", "long int", "CUdevice", "cudaLogIterator", "CUlogIterator", "unsigned short int",
           "unsigned int32_t", "CUdevice_v1", "uint8_t", "__uint8_t", "int64_t", "int32_t", "uint16_t", "__uint16_t", "__int64_t"}

handles, table, order = {}, {}, []


def handle(name):
    return handles.setdefault(name, len(handles))


def library_class(function, name, kind):
    """Of a pointer to numbers or to nothing in a stand-in library: MEMORY of the device; None: as names say."""
    if "*" not in kind or re.search(r"char|_t \* *\*|FILE", kind) or "Descr" in kind:
        return None
    if function.endswith("@host") or re.search(r"^(nvrtc|nvJitLink|nvml|cupti)", function):
        return None
    if re.search(COPIES, function):
        return "COPIED"
    to = re.sub(r"const|\*|\s", "", kind)
    numbers = {"float", "double", "int", "void", "cuComplex", "cuDoubleComplex", "__half", "__nv_bfloat16", "uint16_t",
               "cusolver_int_t", "int64_t", "cufftComplex", "cufftDoubleComplex", "cufftReal", "cufftDoubleReal",
               "unsignedint", "unsignedlonglong", "size_t", "longlongint"}
    if to not in numbers or any(re.search(f, function) and re.search(p, name, re.I) for f, p in HOST):
        return None
    return "MEMORY" if to not in ("size_t", "longlongint") else None


def class_of(function, name, kind):
    if function.endswith("@host") and re.match(r"n$|num|size|count", name):
        return "COUNT"
    if re.match(r"cublas|cufft|curand|cusparse|cusolver|nccl", function):
        cls = library_class(function, name, kind)
        if cls:
            return cls
        if name in ("rank", "levels", "nGPUs", "gpus", "group_count") or re.search(r"Host$", function):
            return "COUNT"
        if re.fullmatch(r"[mnk]|ld\w*|inc\w*|nnz\w*|rows|cols|\w*count\w*|nrhs|k[lu]|batch\w*|n[xyz]|\w*size", name, re.I):
            return "SIZE"
    low = name.split(".")[-1].replace("[0]", "")
    for f, p, cls in EXCEPTIONS:
        if re.search(f, function) and re.search(p, low, re.I):
            return cls
    snake = low.lower()
    for cls, pattern in CLASSES:
        if re.search(pattern, snake):
            return cls
    if kind == "CUdevice":
        return "DEVICE"
    return "NONE"


def type_id(kind, depth=0):
    """The index of a type's row; None where nothing can be said of it."""
    kind = re.sub(r"\s+", " ", kind.replace("*", " * ")).strip()
    if kind in table:
        return table[kind]
    row = describe(kind, depth)
    if row is None:
        return None
    if kind not in table:
        table[kind] = len(order)
        order.append(row)
    return table[kind]


def describe(kind, depth):
    bare = re.sub(r"\bconst\b", "", kind)
    bare = re.sub(r"\s+", " ", bare).strip()
    constant = kind.startswith("const") or "const *" in kind
    if bare == "(*)":
        return f'{{"void *", T_CALLBACK, 8}}'
    if re.fullmatch(PLAIN, bare):
        return f'{{"{bare}", T_HANDLE, 8, .handle = {handle("plain " + bare)}}}'
    if bare == HOST_GENERATOR:
        return f'{{"{bare}", T_HANDLE, 8, .handle = {handle("host generator")}}}'
    if bare.endswith("*"):
        to = bare[:-1].strip()
        if to == "char *" and constant:
            to = "const char *"
        if re.fullmatch(r"struct CU\w+_st", to):
            return f'{{"{kind}", T_HANDLE, 8, .handle = {handle(to[7:])}}}'
        if to == "void":
            return f'{{"{kind}", T_VOID, 8, .constant = {int(constant)}}}'
        if to == "char":
            return f'{{"{kind}", T_TEXT, 8, .constant = {int(constant)}}}'
        if to == "void *":
            return f'{{"{kind}", T_VOIDS, 8, .constant = {int(constant)}}}'
        inner = type_id(to, depth)
        if inner is None:
            return None
        constant = kind.startswith("const")
        return f'{{"{kind}", T_POINTER, 8, .to = {inner}, .constant = {int(constant)}}}'
    if bare in NUMBER_HANDLES:
        return f'{{"{bare}", T_HANDLE, 8, .handle = {handle(NUMBER_HANDLES[bare])}}}'
    if bare in ("float", "double"):
        return f'{{"{bare}", T_FLOAT, sizeof({bare})}}'
    if bare in SCALARS:
        return f'{{"{bare}", T_INT, sizeof({bare})}}'
    entry = names.get(bare)
    if entry is None:
        return None
    while entry[0] == "same" and entry[1] in names and names[entry[1]] != entry:
        entry = names[entry[1]]
    if entry[0] == "same":
        return f'{{"{bare}", T_INT, sizeof({bare})}}' if entry[1] in SCALARS else None
    if entry[0] == "handle":
        return f'{{"{bare}", T_HANDLE, 8, .handle = {handle(entry[1])}}}'
    if entry[0] == "callback":
        return f'{{"{bare}", T_CALLBACK, 8}}'
    if entry[0] == "enum":
        values = ", ".join(f"(long long){v}" for v in entry[1])
        return (f'{{"{bare}", T_ENUM, sizeof({bare}), .values = (const long long[]){{{values}}}, '
                f'.count = {len(entry[1])}}}')
    if entry[0] == "record":
        rows = []
        for path, field, array in entry[1]:
            inner = type_id(field, depth + 1) if depth < 6 else None
            if inner is None:
                continue
            rows.append(f'{{"{path}", offsetof({bare}, {path}), {inner}, C_{class_of("", path, field)}, '
                        f'sizeof((({bare} *)0)->{path}) / sizeof({field if field != "(*)" else "void *"})}}')
        plain = re.sub(r"^(struct )?(cuda|CU)|_t$", "", bare).lower()
        kept = f', .handle = {handle("kept " + plain)}' if bare in KEPT else ""
        return (f'{{"{bare}", {"T_KEPT" if kept else "T_RECORD"}, sizeof({bare}), .fields = (const struct field[]){{'
                + ",\n    ".join(rows) + f'}}, .count = {len(rows)}{kept}}}')
    return None


def done(path, pattern):
    return re.findall(pattern, open(os.path.join(root, path)).read(), re.M)


def parameters(text):
    """[(type, name)] of a parameter list."""
    text = re.sub(r"SW_DEFAULT\([^)]*\)", "", text).strip()
    found = []
    for i, part in enumerate(text.split(",") if text not in ("", "void") else []):
        part = re.sub(r"(\w+)\s*\[\w*\]", r"*\1", part)  # arrays
        part = re.sub(r"\s+", " ", part.replace("*", " * ")).strip()
        m = re.fullmatch(r"(.*?[\w*]) (\w+)", part)
        if m and m[2] not in ("int", "char", "unsigned", "long", "short") and not re.fullmatch(r"const|enum|struct", m[1]):
            found.append((m[1], m[2]))
        else:
            found.append((part, chr(ord("a") + i)))
    return found


def driver_functions():
    lists = {}
    for path in glob.glob(os.path.join(root, "src/driver/*/*.c")):
        text = open(path).read()
        for m in re.finditer(r"DRIVER_API\s+(cu\w+)\(([^{;]*?)\)\s*\{", text):
            lists[m[1]] = m[2]
        for m in re.finditer(r"\b(?:OLD|OLD_STREAM|OLDER)\((cu\w+),\s*\w+,\s*\(([^()]*)\)", text):
            lists[m[1]] = m[2]
        for m in re.finditer(r"^INSTANTIATE\((cu\w+)\)", text, re.M):
            lists[m[1]] = "CUgraphExec *out, CUgraph graph, CUgraphNode *node, char *log_buffer, size_t size"
        for m in re.finditer(r"^FIRST\((cu\w+)\)", text, re.M):
            lists[m[1]] = ""
    for m in done("src/driver/api/driver_per_thread.def", r"^PER_THREAD\((\w+), (\w+), \(([^()]*)\)"):
        named = lists.get(m[0], m[2])
        lists[m[0] + m[1]] = named if len(named.split(",")) == len(m[2].split(",")) else m[2]
    return functions("src/driver/api/driver_api.def", r"^DONE\((\w+),", lists)


def runtime_functions():
    text = open(os.path.join(include, "cuda_runtime_api.h")).read()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"SW_DEFAULT\([^)]*\)", "", text)
    lists = {"cudaProfilerStart": "", "cudaProfilerStop": ""}
    lists |= {m[1]: m[2] for m in re.finditer(r"CUDARTAPI\s+(\w+)\(([^;]*?)\);", text)}
    return functions("src/runtime/runtime_api.def", r"^DONE\((cuda\w+)\)", lists)


def library_functions(library):
    """Those that return a status; others are called for what they do."""
    lists = {}
    for text in [STAND_INS] + ([preprocessed(OLDER[library])] if library in OLDER else []):
        for m in re.finditer(r"([\w*]+)\s*\b(" + library + r"\w+)\s*\(([^;{}]*?)\)\s*;", text):
            if re.search(LEFT_OUT, m[2]) or m[2] in lists:
                continue
            lists[m[2]] = m[3]
            if not re.search(r"(Status|status|Result|result|Return)_t$|Result$|^cublasStatus", m[1]):
                RESULTS.setdefault(m[2], "const char *" if m[1].endswith("*") else m[1])
    found, unknown = functions(f"src/{library.lower()}/{library.lower()}_api.def", r"^DONE\((\w+)\)", lists)
    host = [(name + "@host", params) for name, params in found if library == "curand" and name != "curandCreateGenerator"]
    return [entry for entry in found if entry[0] != "curandCreateGeneratorHost"] + [
        (name, [(kind.replace("curandGenerator_t", HOST_GENERATOR), p) for kind, p in params])
        for name, params in host if any("curandGenerator_t" in kind for kind, _ in params)], unknown


def functions(path, pattern, lists):
    found, unknown = [], []
    for name in done(path, pattern):
        text = lists.get(name, lists.get(re.sub(r"_pt[ds][sz]$", "", name)))
        if text is None:
            unknown.append(name)
        else:
            found.append((name, parameters(text)))
    return found, unknown


def main():
    wrappers, rows, unknown, base = [], [], [], (0, 0)
    sets = [driver_functions, runtime_functions] + [lambda name=name: library_functions(name) for name, _ in LIBRARIES]
    for library, make in enumerate(sets):
        found, missing = make()
        unknown += missing if library < 2 else []
        for name, params in found:
            ids = [type_id(kind) for kind, _ in params]
            if None in ids or len(params) > 32:
                unknown.append(f"{name}({params[ids.index(None)][0]})" if None in ids else name)
                continue
            plain = name.replace("@", "_at_")
            casts = ", ".join(kind for kind, _ in params) or "void"
            values = ", ".join(f"*(__typeof__({kind}) *)a[{i}]" for i, (kind, _) in enumerate(params))
            result = RESULTS.get(name.split("@")[0], "int")
            call = f"((({result} (*)({casts}))f)({values}))"
            wrappers.append(f"static int call_{plain}(void *f, void **a)\n{{\n    (void)a;\n    "
                            + (f"return {call};" if result == "int" else f"(void){call};\n    return 0;") + "\n}")
            if library < 2:
                base = (len(rows) + 1, len(handles))
            args = ", ".join(f'{{"{p}", 0, {t}, C_{class_of(name, p, kind)}, 1}}' for (kind, p), t in zip(params, ids))
            rows.append(f'{{"{name.split("@")[0]}", {library}, call_{plain}, {len(params)}, {{{args}}}}}')
    with open(out_path, "w") as out:
        out.write("/* Made by table.py. */\n" + "\n".join(wrappers) + "\n")
        out.write("static const struct type TYPES[] = {\n" + ",\n".join(order) + "};\n")
        out.write(f"enum {{ HANDLES = {len(handles)}, BASE_FUNCTIONS = {base[0]}, BASE_HANDLES = {base[1]} }};\n")
        out.write("static const char *const HANDLE_NAMES[] = {" + ", ".join(f'"{h}"' for h in handles) + "};\n")
        out.write("static const struct function FUNCTIONS[] = {\n" + ",\n".join(rows) + "};\n")
        out.write("static const char *const UNKNOWN[] = {" + ", ".join(f'"{u}"' for u in unknown) + (", " if unknown else "")
                  + "NULL};\n")


main()
