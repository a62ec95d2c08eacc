#ifndef CARDFEED_CXGBOOST_SHIM_H
#define CARDFEED_CXGBOOST_SHIM_H

// XGBoost's C interface of the system, as a module. Only the plugin with the boosted trees imports
// it, under its trait; everything it needs of XGBoost comes through here, and nothing is defined
// here.

#include <xgboost/c_api.h>

#endif
