/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and lists of words that grow. */
#include "sweep.h"

#include <string.h>

static int make_room(void **at, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return 1;
    size_t room = *capacity ? 2 * *capacity : 64;
    room = room > need ? room : need;
    void *bigger = abut_alloc_array(room, size);
    if (!bigger)
        return 0;
    if (*at)
        memcpy(bigger, *at, *capacity * size);
    abut_free(*at);
    *at = bigger;
    *capacity = room;
    return 1;
}

void sweep_text_add(SweepText *to, const char *bytes, size_t count)
{
    void *at = to->text;
    if (to->lost || !make_room(&at, &to->capacity, to->count + count + 1, 1)) {
        to->lost = 1;
        return;
    }
    to->text = at;
    memcpy(to->text + to->count, bytes, count);
    to->count += count;
    to->text[to->count] = 0;
}

void sweep_text_free(SweepText *text)
{
    abut_free(text->text);
    *text = (SweepText){0};
}

void sweep_words_add(SweepWords *words, const char *bytes, size_t count)
{
    void *at = words->word;
    size_t capacity = (size_t)words->capacity;
    char *word = abut_alloc(count + 1);
    if (words->lost || !word || !make_room(&at, &capacity, (size_t)words->count + 2, sizeof *words->word)) {
        abut_free(word);
        words->lost = 1;
        return;
    }
    words->word = at;
    words->capacity = (int)capacity;
    memcpy(word, bytes, count);
    word[count] = 0;
    words->word[words->count++] = word;
    words->word[words->count] = NULL;
}

void sweep_words_free(SweepWords *words)
{
    for (int i = 0; i < words->count; ++i)
        abut_free(words->word[i]);
    abut_free(words->word);
    *words = (SweepWords){0};
}
