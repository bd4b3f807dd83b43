/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and lists of words that grow. */
#include "sweep.h"

#include <string.h>

void sweep_text_add(SweepText *to, const char *bytes, size_t count)
{
    to->text = cli_grow(to->text, &to->capacity, to->count + count + 1, 1);
    memcpy(to->text + to->count, bytes, count);
    to->count += count;
    to->text[to->count] = 0;
}

void sweep_text_put(SweepText *to, const char *text)
{
    sweep_text_add(to, text, strlen(text));
}

void sweep_text_free(SweepText *text)
{
    abut_free(text->text);
    *text = (SweepText){0};
}

void sweep_words_add(SweepWords *words, const char *bytes, size_t count)
{
    char *word = memcpy(cli_room(count, 1), bytes, count);
    words->word = cli_grow(words->word, &words->capacity, (size_t)words->count + 2, sizeof *words->word);
    words->word[words->count++] = word;
    words->word[words->count] = NULL;
}

void sweep_words_take(SweepWords *words, SweepText *text)
{
    sweep_words_add(words, text->text ? text->text : "", text->count);
    sweep_text_free(text);
}

void sweep_words_free(SweepWords *words)
{
    for (int i = 0; i < words->count; ++i)
        abut_free(words->word[i]);
    abut_free(words->word);
    *words = (SweepWords){0};
}
