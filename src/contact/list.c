/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of contacts. */
#include "abut/contact.h"

void abut_contact_list_free(AbutContactList *list) {
    ABUT_ASSERT(list);
    AbutContactList none = {0};
    abut_free(list->contacts);
    *list = none;
}
