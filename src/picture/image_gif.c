/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Animated GIF files: one fixed palette of 6 x 7 x 6 colors with an ordered dither, and the variable-width LZW coding
 * of the format. A frame holds the rectangle in which it differs from the one before, and what is the same there is
 * transparent, which codes short.
 */
#include "abut/picture.h"
#include "abut/file.h"

#include <string.h>

enum { REDS = 6, GREENS = 7, BLUES = 6, TABLE = 8192, MAX_CODE = 4095, CLEAR = 256, END = 257, SAME = 252 };

struct AbutGif {
    AbutFileOut out;
    char *path;
    int32_t width, height, delay;
    uint8_t *shown, *pixels; /* palette indices of the frame before, and of this one */
    int frames;
    /* LZW: hash of (prefix, byte) to code; bits waiting; bytes of the block being filled */
    int32_t key[TABLE], code[TABLE];
    uint32_t bits;
    int bit_count, width_bits, next;
    uint8_t block[255];
    int block_size;
};

static void put16(FILE *file, int v) {
    fputc(v & 255, file);
    fputc(v >> 8 & 255, file);
}

static void release(AbutGif *gif) {
    abut_free(gif->shown);
    abut_free(gif->path);
    abut_free(gif);
}

AbutStatus abut_gif_open(const char *path, int width, int height, int delay_ms, AbutGif **out, AbutError *error) {
    ABUT_ASSERT(path && out);
    *out = NULL;
    if (width < 1 || height < 1 || width > 65535 || height > 65535)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: a GIF of %d x %d cannot be", path, width, height);
    AbutGif *gif = abut_alloc(sizeof *gif);
    char *copy = abut_alloc(strlen(path) + 1);
    uint8_t *pixels = abut_alloc_array(2 * (size_t)width, (size_t)height);
    if (!gif || !copy || !pixels) {
        abut_free(gif);
        abut_free(copy);
        abut_free(pixels);
        return abut_fail_memory(error);
    }
    memset(gif, 0, sizeof *gif);
    gif->shown = pixels;
    gif->pixels = pixels + (size_t)width * (size_t)height;
    strcpy(copy, path);
    gif->path = copy;
    gif->width = width, gif->height = height;
    gif->delay = delay_ms < 20 ? 2 : delay_ms / 10;
    AbutStatus status = abut_file_out_open(&gif->out, copy, error);
    if (status != ABUT_OK) {
        release(gif);
        return status;
    }
    FILE *f = gif->out.file;
    fwrite("GIF89a", 1, 6, f);
    put16(f, width);
    put16(f, height);
    fwrite("\xf7\x00\x00", 1, 3, f); /* a palette of 256 colors */
    for (int i = 0; i < 256; ++i) {
        int r = i / (GREENS * BLUES), g = i / BLUES % GREENS, b = i % BLUES, used = i < REDS * GREENS * BLUES;
        fputc(used ? r * 255 / (REDS - 1) : 0, f);
        fputc(used ? g * 255 / (GREENS - 1) : 0, f);
        fputc(used ? b * 255 / (BLUES - 1) : 0, f);
    }
    fwrite("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00", 1, 19, f); /* again and again */
    *out = gif;
    return ABUT_OK;
}

static void flush_block(AbutGif *gif) {
    if (gif->block_size > 0) {
        fputc(gif->block_size, gif->out.file);
        fwrite(gif->block, 1, (size_t)gif->block_size, gif->out.file);
        gif->block_size = 0;
    }
}

static void put_code(AbutGif *gif, int code) {
    gif->bits |= (uint32_t)code << gif->bit_count;
    gif->bit_count += gif->width_bits;
    while (gif->bit_count >= 8) {
        gif->block[gif->block_size++] = (uint8_t)gif->bits;
        if (gif->block_size == 255) flush_block(gif);
        gif->bits >>= 8;
        gif->bit_count -= 8;
    }
}

static void reset_table(AbutGif *gif) {
    memset(gif->key, 0xff, sizeof gif->key);
    gif->next = END + 1;
    gif->width_bits = 9;
}

/* Palette index of a pixel; the dither adds up to one step, by the place in a 4 x 4 pattern. */
static int quantize(const uint8_t *rgb, int x, int y) {
    static const int bayer[16] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
    int d = bayer[(y & 3) * 4 + (x & 3)] * 2 + 1; /* 1 .. 31, of 32 */
    int r = (rgb[0] * (REDS - 1) * 32 / 255 + d) / 32, g = (rgb[1] * (GREENS - 1) * 32 / 255 + d) / 32,
        b = (rgb[2] * (BLUES - 1) * 32 / 255 + d) / 32;
    r = r > REDS - 1 ? REDS - 1 : r, g = g > GREENS - 1 ? GREENS - 1 : g, b = b > BLUES - 1 ? BLUES - 1 : b;
    return (r * GREENS + g) * BLUES + b;
}

/* Place in the table of (prefix, byte), or the free place where it belongs. */
static int find_place(const AbutGif *gif, int32_t key) {
    int at = (int)((uint32_t)key * 2654435761u >> 19);
    while (gif->key[at] >= 0 && gif->key[at] != key) at = (at + 1) & (TABLE - 1);
    return at;
}

/* A rectangle of pixels: columns x0 .. x1 - 1, rows y0 .. y1 - 1. */
typedef struct Box {
    int32_t x0, y0, x1, y1;
} Box;

/* Quantizes the image, and gives the box in which it differs from the frame before: of the first frame all, of equal
 * ones a single pixel. */
static Box take_pixels(AbutGif *gif, const AbutImage *image) {
    Box box = {gif->width, gif->height, 0, 0};
    for (int32_t y = 0; y < gif->height; ++y)
        for (int32_t x = 0; x < gif->width; ++x) {
            size_t at = (size_t)y * (size_t)gif->width + (size_t)x;
            gif->pixels[at] = (uint8_t)quantize(image->rgb + 3 * at, x, y);
            if (gif->frames > 0 && gif->pixels[at] == gif->shown[at]) continue;
            box.x0 = x < box.x0 ? x : box.x0;
            box.y0 = y < box.y0 ? y : box.y0;
            box.x1 = x + 1 > box.x1 ? x + 1 : box.x1;
            box.y1 = y + 1;
        }
    return box.x1 > 0 ? box : (Box){0, 0, 1, 1};
}

static void code_pixels(AbutGif *gif, Box box) {
    int prefix = -1;
    reset_table(gif);
    put_code(gif, CLEAR);
    for (int32_t y = box.y0; y < box.y1; ++y)
        for (int32_t x = box.x0; x < box.x1; ++x) {
            size_t place = (size_t)y * (size_t)gif->width + (size_t)x;
            int same = gif->frames > 0 && gif->pixels[place] == gif->shown[place];
            int byte = same ? SAME : gif->pixels[place];
            if (prefix < 0) {
                prefix = byte;
                continue;
            }
            int at = find_place(gif, prefix << 8 | byte);
            if (gif->key[at] >= 0) {
                prefix = gif->code[at];
                continue;
            }
            put_code(gif, prefix);
            if (gif->next <= MAX_CODE) {
                gif->key[at] = prefix << 8 | byte;
                gif->code[at] = gif->next;
                if (gif->next++ == 1 << gif->width_bits && gif->width_bits < 12) ++gif->width_bits;
            } else {
                put_code(gif, CLEAR);
                reset_table(gif);
            }
            prefix = byte;
        }
    put_code(gif, prefix);
    put_code(gif, END);
    if (gif->bit_count > 0) {
        gif->width_bits = 8 - gif->bit_count;
        put_code(gif, 0);
    }
    flush_block(gif);
    gif->bits = 0;
    gif->bit_count = 0;
}

AbutStatus abut_gif_add(AbutGif *gif, const AbutImage *image, AbutError *error) {
    ABUT_ASSERT(gif && image);
    if (image->width != gif->width || image->height != gif->height)
        return abut_fail(error, ABUT_ERROR_ARGUMENT, "%s: a frame of %d x %d in a GIF of %d x %d", gif->path,
            image->width, image->height, gif->width, gif->height);
    FILE *f = gif->out.file;
    Box box = take_pixels(gif, image);
    fwrite("\x21\xf9\x04", 1, 3, f);
    fputc(gif->frames > 0 ? 5 : 4, f); /* the frame stays; 1: there is a transparent color */
    put16(f, gif->delay);
    fputc(gif->frames > 0 ? SAME : 0, f);
    fwrite("\x00\x2c", 1, 2, f);
    put16(f, box.x0);
    put16(f, box.y0);
    put16(f, box.x1 - box.x0);
    put16(f, box.y1 - box.y0);
    fputc(0, f);
    fputc(8, f); /* bits of a byte */
    code_pixels(gif, box);
    fputc(0, f);
    memcpy(gif->shown, gif->pixels, (size_t)gif->width * (size_t)gif->height);
    gif->frames += 1;
    return ABUT_OK;
}

AbutStatus abut_gif_commit(AbutGif *gif, AbutError *error) {
    ABUT_ASSERT(gif);
    fputc(0x3b, gif->out.file);
    AbutStatus status = abut_file_out_commit(&gif->out, error);
    release(gif);
    return status;
}

void abut_gif_cancel(AbutGif *gif) {
    if (!gif) return;
    abut_file_out_cancel(&gif->out);
    release(gif);
}
