# SPDX-License-Identifier: Apache-2.0
"""Kernels of the cliff finder (cliffs.py): each in CUDA C++, and its twin in C as a good programmer writes it without CUDA.

Method: a sample is a choice of one value on each axis (block shape, type, operation, access, ...). A family of kernels
(elementwise, stencil, reduction, ...) turns it into two texts. What both compute of one element is one text, so that they
agree; loops and indices differ: CUDA has threads, C has plain loops in the order of memory with indices of 64 bits.
Limits: one kernel a launch; a kernel's inputs are two arrays, an array of indices and a table in constant memory."""
import re

ELEMENTS = 1 << 18  # of a domain: arrays of 1 MiB of floats, in the caches of a CPU's core
LINE = 1 << 20  # of inputs that are only read once: sums, counts


class Type:
    """An element: its C name, what its components are, and how the harness fills and compares it."""

    def __init__(self, name, scalar, components, kind):
        self.name, self.scalar, self.components, self.kind = name, scalar, components, kind

    @property
    def parts(self):
        return ["." + c for c in self.components] or [""]


TYPES = {t.name: t for t in [
    Type("char", "schar", "", "i8"), Type("short", "short", "", "i16"), Type("half", "half", "", "f16"),
    Type("int", "int", "", "i32"), Type("float", "float", "", "f32"), Type("double", "double", "", "f64"),
    Type("long", "llong", "", "i64"), Type("float2", "float", "xy", "f32"), Type("float4", "float", "xyzw", "f32"),
    Type("floats3", "float", "xyz", "f32")]}
C_NAMES = {"char": "schar", "long": "llong"}
INDICES = {"int": "int", "unsigned": "unsigned", "long": "llong", "size_t": "size_t"}

# Shapes of blocks by the number of dimensions of the domain.
BLOCKS = {1: [(256,), (1024,), (128,), (64,), (32,), (33,), (100,), (96,)],
          2: [(32, 8), (16, 16), (8, 8), (24, 8), (32, 32), (64, 4), (8, 32), (10, 10), (33, 7), (128, 2)],
          3: [(8, 8, 8), (10, 10, 10), (32, 4, 2), (4, 4, 4), (16, 4, 4), (32, 2, 8)]}

# What one step computes of r and q, by the kind of the type. T is the scalar type, F what floats are computed in.
STEPS = {
    "axpy": {"f": "r = r * (T)0.75f + q;", "i": "r = (T)(r * 3 + q);"},
    "divide": {"f": "r = q / (r + (T)1.0f);", "i": "r = (T)(q * 7 / ((r & 15) + 1));"},
    "divide by constant": {"f": "r = (r + q) / (T)7.0f;", "i": "r = (T)((r + q) / 7 + (r + q) % 10);"},
    "exp": {"f": "r = (T)(EXP(-(F)r) + (F)q);", "i": "r = (T)(q + (T)(int)(8.0f * expf((float)(r & 3))));"},
    "sin": {"f": "r = (T)(SIN((F)r) + (F)q);", "i": "r = (T)(q + (T)(int)(100.0f * sqrtf((float)(r & 1023))));"},
    "log": {"f": "r = (T)(LOG((F)r + (F)1.0f) + (F)q);", "i": "r = (T)(q + (T)(r & 255) * (T)3);"},
    "pow": {"f": "r = (T)(POW((F)r, (F)0.3f) + (F)q);", "i": "r = (T)(r * r + q);"},
    "sqrt": {"f": "r = (T)SQRT((F)r * (F)r + (F)q);", "i": "r = (T)(q + (T)sqrtf((float)(r & 1023)));"},
    "select": {"f": "r = r > q ? r - q : q * (T)2.0f - r;", "i": "r = (T)(r > q ? r - q : q * 2 - r);"},
    "clamp": {"f": "r = r * (T)1.5f; r = r < q ? q : r > (T)3.0f ? (T)3.0f : r;",
              "i": "{ int s = (int)(r + q); r = (T)(s > 127 ? 127 : s < -128 ? -128 : s); }"},
    "bytes": {"f": "r = (T)(float)(unsigned char)((float)r * 32.0f) * (T)0.0156f + q;",
              "i": "r = (T)(((r ^ q) & 0x0f0f0f0f) + ((r >> 4) & 0x0f0f0f0f));"},
    "bits": {"f": "r = (T)(float)(POPC((unsigned)((float)r * 4096.0f)) & 7) + q;",
             "i": "r = (T)((r << 3 | (r >> 5 & 7)) ^ (q + POPC((unsigned)r) + CLZ((unsigned)q | 1u)));"},
    "convert": {"f": "r = (T)((int)((float)r * 100.0f) & 127) + q;", "i": "r = (T)(int)((float)(r & 4095) * 0.5f + (float)q);"},
}


def steps(op, of):
    """One step for each component of the type."""
    text = STEPS[op]["i" if of.kind[0] == "i" else "f"]
    return " ".join(re.sub(r"\b([rq])\b", lambda m: m.group(1) + part, text) for part in of.parts)


class Kernel:
    """Both texts of a sample, its launch, and how many scalars of the output there are to compare."""

    def __init__(self, name, axes, of, index, block, grid, sizes, body, native, outputs, tolerance=1e-4, shared="", iters=8):
        self.name, self.axes, self.of, self.index, self.block, self.grid = name, axes, of, index, block, grid
        self.sizes, self.body, self.native, self.outputs, self.tolerance = sizes, body, native, outputs, tolerance
        self.shared, self.iters = shared, iters


def ceil_div(a, b):
    return -(-a // b)


def domain(block, guard):
    """The extents of the domain: multiples of the block without a guard, otherwise none."""
    sizes = {1: [ELEMENTS], 2: [512, 512], 3: [64, 64, 64]}[len(block)]
    if guard == "none":
        return [ceil_div(s, b) * b for s, b in zip(sizes, block)]
    return [s - 3 - 2 * d for d, s in enumerate(sizes)]


def coordinates(dims, index):
    """The declarations of x, y, z in CUDA."""
    return " ".join("%s %s = (%s)blockIdx.%s * blockDim.%s + threadIdx.%s;" % (index, c, index, c, c, c) for c in "xyz"[:dims])


INSIDE = {1: "x < w", 2: "x < w && y < h", 3: "x < w && y < h && z < d"}
OUTSIDE = {1: "x >= w", 2: "x >= w || y >= h", 3: "x >= w || y >= h || z >= d"}
LINEAR = {1: "x", 2: "y * pitch + x", 3: "(z * h + y) * pitch + x"}
LOOPS = {1: "for (long x = 0; x < w; x++)", 2: "for (long y = 0; y < h; y++) for (long x = 0; x < w; x++)",
         3: "for (long z = 0; z < d; z++) for (long y = 0; y < h; y++) for (long x = 0; x < w; x++)"}
# Where an element's input is, and where its output goes; i is its own place.
ACCESS = {
    "unit": ("i", "i"), "pitch": ("i", "i"), "stride 2": ("2 * i", "i"), "stride 3": ("3 * i", "i"), "offset": ("i + 1", "i"),
    "gather": ("idx[i]", "i"), "scatter": ("i", "perm[i]"), "reverse": ("(%(n)s - 1) - i", "i"), "stride 2 out": ("i", "2 * i"),
    "transposed": ("x * h + y", "i"), "transposed out": ("i", "x * h + y"), "row value": ("y", "i"), "column value": ("x", "i"),
}
ACCESS_OF = {1: ["unit", "stride 2", "stride 3", "offset", "gather", "scatter", "reverse", "stride 2 out"],
             2: ["unit", "pitch", "transposed", "transposed out", "row value", "column value", "offset", "gather", "stride 2"],
             3: ["unit", "pitch", "offset", "gather", "stride 3"]}
LOOP_FORMS = ["none", "none", "constant", "parameter", "while", "break"]
SPACES = ["global", "global", "global", "tile", "padded tile", "local", "constant"]


def loop(form, step):
    """A step under a loop of that form."""
    return {"none": step, "constant": "for (int k = 0; k < 8; k++) { %s }" % step,
            "parameter": "for (int k = 0; k < iters; k++) { %s }" % step,
            "while": "for (int k = idx[i] & 15; k > 0; k--) { %s }" % step,
            "break": "for (int k = 0; k < iters; k++) { %s if ((idx[i] >> k & 3) == 0) break; }" % step}[form]


def guarded(guard, dims, body):
    return {"none": body, "if": "if (%s) { %s }" % (INSIDE[dims], body), "return": "if (%s) return; %s" % (OUTSIDE[dims], body)}[guard]


def elementwise(axes):
    """out[element] = steps of a[element] and b[element]."""
    block, of, op, form, space, access, guard = (axes[k] for k in ("block", "type", "op", "loop", "space", "access", "guard"))
    of, dims = TYPES[of], len(block)
    sizes = domain(block, guard)
    pitch = sizes[0] + (16 if access == "pitch" else 0)
    if form == "grid stride":
        guard = "grid"
    step = steps(op, of) if op != "copy" else ""
    if space == "constant":
        step = "q%s = table[%s]; " % (of.parts[0], "idx[i] & 63" if form in ("none", "grid stride") else "k & 63") + step
    source, target = ACCESS[access]
    source = source % {"n": {1: "w", 2: "w * h", 3: "w * h * d"}[dims]} if "%" in source else source
    before = "A q = b[i]; "
    if space == "local":
        after = "A l[8]; for (int k = 0; k < 8; k++) { %s l[k] = r; } r = l[idx[i] & 7]; out[%s] = r;" % (step, target)
    else:
        after = loop("none" if form == "grid stride" else form, step) + " out[%s] = r;" % target
    plain = "long i = %s; %sA r = a[%s]; %s" % (LINEAR[dims], before, source, after)
    at = "I i = %s; " % LINEAR[dims]
    shared = ""
    if "tile" in space:
        body, native, shared = tile(block, guard, dims, at, before, source, after, "padded" in space)
    elif form == "grid stride":
        body = "for (I x = (I)blockIdx.x * blockDim.x + threadIdx.x; x < w; x += (I)gridDim.x * blockDim.x) { %s%sA r = a[%s]; %s }" % (
            at, before, source, after)
        native = LOOPS[1] + " { %s }" % plain
    else:
        body = coordinates(dims, "I") + " " + guarded(guard, dims, at + before + "A r = a[%s]; %s" % (source, after))
        native = LOOPS[dims] + " { %s }" % plain
    grid = [ceil_div(s, b) for s, b in zip(sizes, block)] if form != "grid stride" else [32]
    name = "%s %s %s" % (op, of.name, access)
    return Kernel(name, axes, of, axes["index"], block, grid, sizes + [1] * (3 - dims) + [pitch], body, native,
                  pitch * sizes[-1] * (sizes[1] if dims == 3 else 1) * (2 if access == "stride 2 out" else 1) if dims > 1 else
                  sizes[0] * (2 if access == "stride 2 out" else 1), tolerance=2e-2 if of.kind == "f16" else 1e-4, shared=shared)


def tile(block, guard, dims, at, before, source, after, padded):
    """The value comes from the thread at the other end of the row, or of a square tile from the one across its diagonal."""
    bx, across = block[0], dims == 2 and block[0] == block[1]
    extents = [bx + (1 if padded else 0)] + list(block[1:])
    shared = "__shared__ A tile%s;" % "".join("[%d]" % e for e in reversed(extents))
    own = "".join("[threadIdx.%s]" % c for c in reversed("xyz"[:dims]))
    other = "[threadIdx.x][threadIdx.y]" if across else own.replace("[threadIdx.x]", "[%d - threadIdx.x]" % (bx - 1))
    body = coordinates(dims, "I") + " " + at
    if guard == "none":
        body += "tile%s = a[%s]; __syncthreads(); A r = tile%s; %s%s" % (own, source, other, before, after)
    else:
        body += "A zero = ZERO; tile%s = zero; if (%s) tile%s = a[%s]; __syncthreads(); if (%s) { A r = tile%s; %s%s }" % (
            own, INSIDE[dims], own, source, INSIDE[dims], other, before, after)
    moved = {"x": "xm", "y": "ym"} if across else {"x": "xm"}
    far = re.sub(r"\b[xy]\b", lambda m: moved.get(m.group(0), m.group(0)), "%s" % LINEAR[dims])
    read = re.sub(r"\b[xyi]\b", lambda m: {"i": "(%s)" % far}.get(m.group(0), moved.get(m.group(0), m.group(0))), source)
    place = "long y0 = y / %d * %d, xm = x0 + (y - y0), ym = y0 + t;" % (bx, bx) if across else "long xm = x0 + %d - t;" % (bx - 1)
    fits = "xm < w && ym < h" if across else "xm < w"
    inner = "long x = x0 + t; %s long i = %s; A zero = ZERO, r = zero; if (%s) r = a[%s]; %s%s" % (
        place, LINEAR[dims], fits, read, before, after)
    rows = LOOPS[dims].rsplit("for", 1)[0]
    native = rows + "for (long x0 = 0; x0 < w; x0 += %d) for (long t = 0; t < %d && x0 + t < w; t++) { %s }" % (bx, bx, inner)
    return body, native, shared


def stencil(axes):
    """Neighbours of an element, from memory or by way of a tile with a halo."""
    block, of, guard, points, space = axes["block"], TYPES[axes["type"]], axes["guard"], axes["op"], axes["space"]
    dims = len(block)
    sizes = domain(block, "if")
    pitch = sizes[0] + (13 if axes["access"] == "pitch" else 0)
    center = LINEAR[dims]
    inner = " && ".join("%s > 0 && %s < %s - 1" % (c, c, s) for c, s in list(zip("xyz", "whd"))[:dims])
    outer = " || ".join("%s < 1 || %s >= %s - 1" % (c, c, s) for c, s in list(zip("xyz", "whd"))[:dims])
    weight = "(T)0.5f" if of.kind[0] == "f" else "3"
    strides = ["1", "pitch", "pitch * h"][:dims]
    if points == "star":
        near = " + ".join("a[i - %s] + a[i + %s]" % (s, s) for s in strides)
        compute = "out[i] = (T)(%s * a[i] + (%s));" % (weight, near)
    else:  # box, by loops
        compute = "T s = 0; for (int v = -1; v <= 1; v++) for (int u = -1; u <= 1; u++) s = (T)(s + a[i + v * %s + u] * %s); out[i] = s;" % (
            "pitch" if dims > 1 else "0", weight)
    native_loops = LOOPS[dims]
    for c, s in list(zip("xyz", "whd"))[:dims]:
        native_loops = native_loops.replace("long %s = 0; %s < %s;" % (c, c, s), "long %s = 1; %s < %s - 1;" % (c, c, s))
    native = native_loops + " { long i = %s; %s }" % (center, compute)
    shared = ""
    if space == "tile" and points == "star" and dims == 2:
        bx, by = block
        shared = "__shared__ A tile[%d][%d];" % (by + 2, bx + 2)
        body = coordinates(2, "I") + """ I i = y * pitch + x; int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    if (x < w && y < h) {
        tile[ty][tx] = a[i];
        if (threadIdx.x == 0 && x > 0) tile[ty][0] = a[i - 1];
        if (threadIdx.x == blockDim.x - 1 && x < w - 1) tile[ty][tx + 1] = a[i + 1];
        if (threadIdx.y == 0 && y > 0) tile[0][tx] = a[i - pitch];
        if (threadIdx.y == blockDim.y - 1 && y < h - 1) tile[ty + 1][tx] = a[i + pitch];
    }
    __syncthreads();
    if (%s) out[i] = (T)(%s * tile[ty][tx] + (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]));""" % (inner, weight)
    elif guard == "return":
        body = coordinates(dims, "I") + " if (%s) return; I i = %s; %s" % (outer, center, compute)
    else:
        body = coordinates(dims, "I") + " if (%s) { I i = %s; %s }" % (inner, center, compute)
    grid = [ceil_div(s, b) for s, b in zip(sizes, block)]
    return Kernel("stencil %s %dd %s" % (points, dims, of.name), axes, of, axes["index"], block, grid, sizes + [1] * (3 - dims) + [pitch], body,
                  native, pitch * sizes[-1] * (sizes[1] if dims == 3 else 1) if dims > 1 else sizes[0], shared=shared)


def reduction(axes):
    """Sums: of a block in shared memory or by shuffles, of rows and columns."""
    block, of, op = axes["block"], TYPES[axes["type"]], axes["op"]
    threads = 1
    for b in block:
        threads *= b
    n, size = LINE, [LINE, 1, 1, LINE]
    rank = {1: "threadIdx.x", 2: "threadIdx.y * blockDim.x + threadIdx.x"}[len(block)]
    head = "unsigned t = %s; I n = w; I i = (I)blockIdx.x * %d + t; T s = 0; " % (rank, 2 * threads)
    load = "if (i < n) s = a[i]; if (i + %d < n) s = (T)(s + a[i + %d]); " % (threads, threads)
    blocks = ceil_div(n, 2 * threads)
    native_block = """for (long g = 0; g < %d; g++) { T s = 0;
#pragma omp simd reduction(+ : s)
        for (long i = g * %d; i < (g + 1) * %d; i++) s = (T)(s + a[i]);
        out[g] = s; }""" % (blocks, 2 * threads, 2 * threads)
    if op == "tree":
        body = head + load + """tile[t] = s; __syncthreads();
    for (unsigned m = %d; m > 0; m >>= 1) { if (t < m) tile[t] = (T)(tile[t] + tile[t + m]); __syncthreads(); }
    if (t == 0) out[blockIdx.x] = tile[0];""" % (threads // 2)
        return Kernel("reduce tree %s" % of.name, axes, of, axes["index"], block, [blocks], size, body, native_block, blocks,
                      shared="__shared__ T tile[%d];" % threads)
    if op == "tree by modulo":
        body = head + load + """tile[t] = s; __syncthreads();
    for (unsigned m = 1; m < %d; m *= 2) { if (t %% (2 * m) == 0) tile[t] = (T)(tile[t] + tile[t + m]); __syncthreads(); }
    if (t == 0) out[blockIdx.x] = tile[0];""" % threads
        return Kernel("reduce modulo %s" % of.name, axes, of, axes["index"], block, [blocks], size, body, native_block, blocks,
                      shared="__shared__ T tile[%d];" % threads)
    if op == "shuffle":
        body = head + load + """
    for (int m = 16; m > 0; m >>= 1) s = (T)(s + __shfl_down_sync(0xffffffffu, s, m));
    if (t %% 32 == 0) tile[t / 32] = s;
    __syncthreads();
    if (t < 32) { s = t < %d ? tile[t] : (T)0; for (int m = 16; m > 0; m >>= 1) s = (T)(s + __shfl_xor_sync(0xffffffffu, s, m));
        if (t == 0) out[blockIdx.x] = s; }""" % (threads // 32)
        return Kernel("reduce shuffle %s" % of.name, axes, of, axes["index"], block, [blocks], size, body, native_block, blocks,
                      shared="__shared__ T tile[32];")
    if op == "loop then tree":
        body = """unsigned t = %s; T s = 0; for (I i = (I)blockIdx.x * %d + t; i < w; i += (I)gridDim.x * %d) s = (T)(s + a[i]);
    tile[t] = s; __syncthreads();
    for (unsigned m = %d; m > 0; m >>= 1) { if (t < m) tile[t] = (T)(tile[t] + tile[t + m]); __syncthreads(); }
    if (t == 0) out[blockIdx.x] = tile[0];""" % (rank, threads, threads, threads // 2)
        native = """for (long g = 0; g < 16; g++) { T s = 0; for (long i = g * %d; i < w; i += 16l * %d) {
#pragma omp simd reduction(+ : s)
            for (long k = 0; k < %d; k++) s = (T)(s + a[i + k]); }
        out[g] = s; }""" % (threads, threads, threads)
        return Kernel("reduce loop %s" % of.name, axes, of, axes["index"], block, [16], size, body, native, 16,
                      shared="__shared__ T tile[%d];" % threads)
    rows, columns = 2048, 512
    if op == "row a thread":
        body = "I y = (I)blockIdx.x * %d + %s; if (y >= h) return; T s = 0; for (I k = 0; k < w; k++) s = (T)(s + a[y * w + k]); out[y] = s;" % (threads, rank)
        native = """for (long y = 0; y < h; y++) { T s = 0;
#pragma omp simd reduction(+ : s)
        for (long k = 0; k < w; k++) s = (T)(s + a[y * w + k]);
        out[y] = s; }"""
        outputs = rows
        return Kernel("reduce rows %s" % of.name, axes, of, axes["index"], block, [ceil_div(rows, threads)], [columns, rows, 1, columns], body,
                      native, outputs)
    body = "I x = (I)blockIdx.x * %d + %s; if (x >= w) return; T s = 0; for (I k = 0; k < h; k++) s = (T)(s + a[k * w + x]); out[x] = s;" % (threads, rank)
    native = """for (long x = 0; x < w; x++) out[x] = 0;
    for (long k = 0; k < h; k++) for (long x = 0; x < w; x++) out[x] = (T)(out[x] + a[k * w + x]);"""
    return Kernel("reduce columns %s" % of.name, axes, of, axes["index"], block, [ceil_div(rows, threads)], [rows, columns, 1, rows], body, native, rows)


def histogram(axes):
    """Counts of bytes, by atomics in global or shared memory."""
    block, bins = axes["block"], axes["bins"]
    threads = block[0]
    of = TYPES["int"]
    size = [LINE - 3, 1, 1, LINE - 3]
    bin_ = "idx[%%s] & %d" % (bins - 1)
    native = LOOPS[1] + " out[%s]++;" % (bin_ % "x")
    head = "I x = (I)blockIdx.x * blockDim.x + threadIdx.x; "
    if axes["space"] == "global":
        body = head + "if (x < w) atomicAdd(&out[%s], 1);" % (bin_ % "x")
        return Kernel("histogram %d global" % bins, axes, of, axes["index"], block, [ceil_div(size[0], threads)], size, body, native, bins)
    body = """for (unsigned k = threadIdx.x; k < %d; k += blockDim.x) tile[k] = 0;
    __syncthreads();
    for (I x = (I)blockIdx.x * blockDim.x + threadIdx.x; x < w; x += (I)gridDim.x * blockDim.x) atomicAdd(&tile[%s], 1);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < %d; k += blockDim.x) atomicAdd(&out[k], tile[k]);""" % (bins, bin_ % "x", bins)
    return Kernel("histogram %d shared" % bins, axes, of, axes["index"], block, [32], size, body, native, bins, shared="__shared__ int tile[%d];" % bins)


def scan(axes):
    """Running sums of a block."""
    block, of = axes["block"], TYPES[axes["type"]]
    threads = block[0]
    blocks = LINE // threads
    size = [blocks * threads, 1, 1, blocks * threads]
    native = "for (long g = 0; g < %d; g++) { T s = 0; for (long i = g * %d; i < (g + 1) * %d; i++) { s = (T)(s + a[i]); out[i] = s; } }" % (
        blocks, threads, threads)
    head = "unsigned t = threadIdx.x; I i = (I)blockIdx.x * blockDim.x + t; T s = a[i]; "
    if axes["op"] == "shared":
        body = head + """tile[0][t] = s; int p = 0; __syncthreads();
    for (unsigned m = 1; m < %d; m *= 2) { T v = tile[p][t]; if (t >= m) v = (T)(v + tile[p][t - m]); p ^= 1; tile[p][t] = v; __syncthreads(); }
    out[i] = tile[p][t];""" % threads
        shared = "__shared__ T tile[2][%d];" % threads
    else:
        body = head + """unsigned lane = t %% 32;
    for (unsigned m = 1; m < 32; m *= 2) { T v = __shfl_up_sync(0xffffffffu, s, m); if (lane >= m) s = (T)(s + v); }
    if (lane == 31) tile[t / 32] = s;
    __syncthreads();
    T before = 0; for (unsigned k = 0; k < t / 32; k++) before = (T)(before + tile[k]);
    out[i] = (T)(s + before);""" % ()
        shared = "__shared__ T tile[32];"
    return Kernel("scan %s %s" % (axes["op"], of.name), axes, of, axes["index"], block, [blocks], size, body, native, size[0], shared=shared)


def matmul(axes):
    """Product of square matrices, plain or by tiles."""
    block, of, n = axes["block"], TYPES[axes["type"]], 192
    bx, by = block
    native = """for (long y = 0; y < w; y++) { for (long x = 0; x < w; x++) out[y * w + x] = 0;
        for (long k = 0; k < w; k++) { T q = a[y * w + k]; for (long x = 0; x < w; x++) out[y * w + x] = (T)(out[y * w + x] + q * b[k * w + x]); } }"""
    head = coordinates(2, "I") + " T s = 0; "
    if axes["space"] == "tile" and bx == by:
        body = head + """for (I k0 = 0; k0 < w; k0 += %d) {
        ta[threadIdx.y][threadIdx.x] = a[y * w + k0 + threadIdx.x]; tb[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * w + x];
        __syncthreads();
        for (int k = 0; k < %d; k++) s = (T)(s + ta[threadIdx.y][k] * tb[k][threadIdx.x]);
        __syncthreads(); }
    out[y * w + x] = s;""" % (bx, bx)
        shared = "__shared__ T ta[%d][%d], tb[%d][%d];" % (bx, bx, bx, bx)
        name = "matmul tiles %s" % of.name
    else:
        body = head + "if (x < w && y < w) { for (I k = 0; k < w; k++) s = (T)(s + a[y * w + k] * b[k * w + x]); out[y * w + x] = s; }"
        shared, name = "", "matmul plain %s" % of.name
    return Kernel(name, axes, of, axes["index"], block, [ceil_div(n, bx), ceil_div(n, by)], [n, n, 1, n], body, native, n * n, shared=shared)


def convolution(axes):
    """5x5 filter in constant memory, with clamped borders; or a sparse product of 8 entries a row."""
    of = TYPES[axes["type"]]
    if axes["op"] == "filter":
        block = axes["block"]
        sizes = [253, 249]
        at = "T s = 0; for (int v = -2; v <= 2; v++) for (int u = -2; u <= 2; u++) { " \
             "%s yy = y + v, xx = x + u; yy = yy < 0 ? 0 : yy > h - 1 ? h - 1 : yy; xx = xx < 0 ? 0 : xx > w - 1 ? w - 1 : xx; " \
             "s = (T)(s + a[yy * w + xx] * table[(v + 2) * 5 + u + 2]); } out[y * w + x] = s;"
        index = axes["index"] if axes["index"] in ("int", "long") else "int"
        body = coordinates(2, "I") + " if (x < w && y < h) { %s }" % (at % "I")
        native = LOOPS[2] + " { %s }" % (at % "long")
        return Kernel("filter 5x5 %s" % of.name, axes, of, index, block, [ceil_div(s, b) for s, b in zip(sizes, block)],
                      sizes + [1, sizes[0]], body, native, sizes[0] * sizes[1])
    rows = 32768 - 7
    at = {"sparse rows": "x * 8 + k", "sparse columns": "k * w + x"}[axes["op"]]
    body = "I x = (I)blockIdx.x * %d + threadIdx.x; if (x >= w) return; T s = 0; for (int k = 0; k < iters; k++) s = (T)(s + b[%s] * a[idx[%s]]); out[x] = s;" % (
        axes["block"][0], at, at)
    native = LOOPS[1] + " { T s = 0; for (int k = 0; k < iters; k++) s = (T)(s + b[%s] * a[idx[%s]]); out[x] = s; }" % (at, at)
    return Kernel("%s %s" % (axes["op"], of.name), axes, of, axes["index"], axes["block"], [ceil_div(rows, axes["block"][0])], [rows, 1, 1, rows], body,
                  native, rows)


# family: (how many of 120 samples, maker, its axes; dims are those of the block)
NUMBERS = ["int", "float", "double", "long"]
FAMILIES = {
    "elementwise": (66, elementwise, {
        "dims": [1, 2, 2, 3], "type": list(TYPES), "op": ["copy"] + list(STEPS), "guard": ["none", "if", "return"],
        "index": list(INDICES), "access": None, "loop": LOOP_FORMS + ["grid stride"], "space": SPACES, "restrict": [True, False]}),
    "stencil": (14, stencil, {"dims": [2, 1, 2, 3], "type": ["float", "double", "int", "short"], "op": ["star", "star", "box"], "guard": ["if", "return"],
                              "index": ["int", "long", "unsigned"], "access": ["unit", "pitch"], "space": ["global", "tile"],
                              "restrict": [True, False]}),
    "reduction": (12, reduction, {"shapes": [(256,), (128,), (1024,), (32, 8), (16, 16), (64,)], "type": NUMBERS,
                                  "op": ["tree", "shuffle", "row a thread", "column a thread", "loop then tree", "tree by modulo"],
                                  "index": ["int", "unsigned", "size_t"], "restrict": [True, False]}),
    "histogram": (5, histogram, {"shapes": [(256,), (128,), (512,)], "bins": [256, 64, 1024], "space": ["global", "shared"],
                                 "index": ["int", "unsigned", "size_t"], "restrict": [True, False]}),
    "scan": (5, scan, {"shapes": [(256,), (128,), (512,)], "type": NUMBERS, "op": ["shared", "shuffle"], "index": ["int", "unsigned"],
                       "restrict": [True, False]}),
    "matmul": (8, matmul, {"shapes": [(16, 16), (32, 32), (8, 8), (32, 8), (24, 24)], "type": ["float", "int", "double"], "space": ["tile", "global"],
                           "index": ["int", "unsigned", "size_t"], "restrict": [True, False]}),
    "convolution": (10, convolution, {"op": ["filter", "sparse rows", "sparse columns", "filter"], "dims": [1], "type": ["float", "int", "double"],
                                      "index": ["int", "long"], "restrict": [True, False]}),
}
