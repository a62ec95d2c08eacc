#ifndef CARDFEED_COPENBLAS_SHIM_H
#define CARDFEED_COPENBLAS_SHIM_H

// Dense linear algebra of the system, as a module. Only the recommenders import it, under the trait
// OpenBLAS. The four LAPACK routines are declared here, with the hidden lengths of Fortran's texts
// left out as every C caller of them does; nothing is defined here.

#include <cblas.h>

void spotrf_(const char *uplo, const int *n, float *a, const int *lda, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void spotri_(const char *uplo, const int *n, float *a, const int *lda, int *info);
void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info);

#endif
