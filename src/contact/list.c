/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of contacts. */
#include "abut/contact.h"

void abut_contact_list_free(AbutContactList *list)
{
    ABUT_ASSERT(list);
    AbutContactList none = {0};
    abut_free(list->contacts);
    *list = none;
}

int abut_contact_list_vertices(const AbutContactList *list)
{
    ABUT_ASSERT(list);
    int count = 0;
    for (int32_t k = 0; k < list->count; ++k)
        count += list->contacts[k].vertex_count;
    return count;
}
