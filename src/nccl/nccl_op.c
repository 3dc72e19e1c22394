/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: operations that a program makes. Method: handles are numbers from ncclNumOps on, places in a table
 * of the communicator. An average multiplies by 1 / ranks before it adds, in floating point, and divides the
 * sum, in integers, as NVIDIA's does. */
#include "nccl_priv.h"

#include "blas/blas.h"

#include <string.h>

struct nccl_made_op {
    ncclDataType_t type;
    struct nccl_op op;
};

static void scalar_of(ncclDataType_t type, double value, unsigned char *out)
{
    float f = (float)value;
    switch ((int)type) {
    case ncclFloat16: blas_from_floats(BLAS_F16, &f, out, 1); break;
    case ncclBfloat16: blas_from_floats(BLAS_BF16, &f, out, 1); break;
    case ncclFloat8e4m3: blas_from_floats(BLAS_E4M3, &f, out, 1); break;
    case ncclFloat8e5m2: blas_from_floats(BLAS_E5M2, &f, out, 1); break;
    case ncclFloat32: memcpy(out, &f, sizeof f); break;
    default: memcpy(out, &value, sizeof value); break;
    }
}

static ncclResult_t average(int ranks, ncclDataType_t type, struct nccl_op *out)
{
    *out = (struct nccl_op){.kind = type < ncclFloat16 ? NCCL_DIVIDED_SUM : NCCL_SCALED_SUM};
    if (out->kind == NCCL_SCALED_SUM) scalar_of(type, 1.0 / ranks, out->scalar);
    return ncclSuccess;
}

ncclResult_t nccl_op_get(struct ncclComm *comm, ncclRedOp_t handle, ncclDataType_t type, struct nccl_op *out)
{
    static const enum nccl_op_kind KINDS[] = {
        [ncclSum] = NCCL_SUM, [ncclProd] = NCCL_PROD, [ncclMax] = NCCL_MAX, [ncclMin] = NCCL_MIN};
    unsigned number = (unsigned)handle;
    if (handle == ncclAvg) return average(comm->ranks, type, out);
    if (number < ncclNumOps) {
        *out = (struct nccl_op){.kind = KINDS[number]};
        return ncclSuccess;
    }
    number -= ncclNumOps;
    const struct nccl_made_op *made = number < comm->ops.made.count ? comm->ops.made.at[number] : NULL;
    if (!made) return nccl_error(comm, ncclInvalidArgument, "operation %d does not exist", (int)handle);
    if (made->type != type)
        return nccl_error(comm, ncclInvalidArgument, "operation %d was made for another data type",
                          (int)handle);
    *out = made->op;
    return ncclSuccess;
}

static size_t free_place(struct nccl_ops *ops)
{
    for (size_t i = 0; i < ops->made.count; i++)
        if (!ops->made.at[i]) return i;
    *vec_push(&ops->made) = NULL;
    return ops->made.count - 1;
}

NCCL(RedOpCreatePreMulSum, ncclRedOp_t *op, void *scalar, ncclDataType_t type,
     ncclScalarResidence_t residence, ncclComm_t comm)
{
    if (!nccl_comm_lives(comm) || !op || !scalar) return ncclInvalidArgument;
    if (!nccl_type_bytes(type)) /* so recorded (tests/hw/libraries) */
        return nccl_error(comm, ncclInternalError, "data type %d", (int)type);
    struct nccl_made_op *made = sw_xcalloc(1, sizeof *made);
    made->type = type;
    made->op.kind = NCCL_SCALED_SUM;
    if (residence == ncclScalarDevice)
        made->op.device = scalar;
    else
        memcpy(made->op.scalar, scalar, nccl_type_bytes(type));
    size_t place = free_place(&comm->ops);
    comm->ops.made.at[place] = made;
    *op = (ncclRedOp_t)(ncclNumOps + place);
    return ncclSuccess;
}

NCCL(RedOpDestroy, ncclRedOp_t op, ncclComm_t comm)
{
    if (!nccl_comm_lives(comm)) return ncclInvalidArgument;
    unsigned number = (unsigned)op;
    if (number < ncclNumOps)
        return nccl_error(comm, ncclInvalidArgument, "operation %d is built in", (int)op);
    number -= ncclNumOps;
    if (number >= comm->ops.made.count || !comm->ops.made.at[number])
        return nccl_error(comm, ncclInvalidArgument, "operation %d does not exist", (int)op);
    free(comm->ops.made.at[number]);
    comm->ops.made.at[number] = NULL;
    return ncclSuccess;
}

void nccl_ops_release(struct nccl_ops *ops)
{
    for (size_t i = 0; i < ops->made.count; i++)
        free(ops->made.at[i]);
    vec_release(&ops->made);
}
