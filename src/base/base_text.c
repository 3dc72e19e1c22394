/* SPDX-License-Identifier: Apache-2.0 */
/* Translations from a catalogue of gettext's msgfmt, read here and not by the C library.
 *
 * The C library's gettext translates only where a locale of the language is installed: it looks up nothing in
 * the locales "C" and, in newer versions (glibc 2.41), "C.UTF-8", the only two that a small system has. The
 * format (GNU gettext manual, "The Format of GNU MO Files"): seven 32-bit words, then two tables of (length,
 * offset), the originals' sorted by strcmp(). Limits: little-endian catalogues, as msgfmt writes by default;
 * UTF-8; no plural forms. */
#include "base/base_text.h"

#include "base/base.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MO_MAGIC 0x950412deu

struct mo_header {
    uint32_t magic, revision, count, originals, translations;
};

struct mo_string {
    uint32_t length, offset; /* a zero byte follows the text */
};

struct catalogue {
    const char *text; /* the whole file */
    const struct mo_string *originals, *translations;
    uint32_t count;
};

static struct catalogue catalogue;

static const char *text_at(const struct mo_string *string)
{
    return catalogue.text + string->offset;
}

static int by_original(const void *english, const void *original)
{
    return strcmp(english, text_at(original));
}

const char *sw_text(const char *english)
{
    if (!catalogue.count || !*english) return english; /* the translation of "" is the catalogue's header */
    const struct mo_string *found =
        bsearch(english, catalogue.originals, catalogue.count, sizeof *found, by_original);
    return found ? text_at(&catalogue.translations[found - catalogue.originals]) : english;
}

/* Whether each of a table's texts lies in the file and ends with a zero byte. */
static bool table_fits(const char *file, uint64_t bytes, uint32_t offset, uint32_t count)
{
    if (offset % sizeof(uint32_t) || offset + count * (uint64_t)sizeof(struct mo_string) > bytes)
        return false;
    const struct mo_string *strings = (const void *)(file + offset);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = (uint64_t)strings[i].offset + strings[i].length;
        if (end >= bytes || file[end]) return false;
    }
    return true;
}

int sw_text_use(const void *at, uint64_t bytes)
{
    const char *file = at;
    const struct mo_header *header = at;
    if (bytes < sizeof *header || header->magic != MO_MAGIC || header->revision >> 16) return 0;
    if (!table_fits(file, bytes, header->originals, header->count)) return 0;
    if (!table_fits(file, bytes, header->translations, header->count)) return 0;
    catalogue = (struct catalogue){.text = file,
                                   .originals = (const void *)(file + header->originals),
                                   .translations = (const void *)(file + header->translations),
                                   .count = header->count};
    return 1;
}

/* The file stays mapped as long as the process: texts point into it. */
static bool catalogue_open(const char *path)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    void *map = MAP_FAILED;
    if (fstat(file, &about) == 0 && about.st_size > 0)
        map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (map == MAP_FAILED) return false;
    if (sw_text_use(map, (uint64_t)about.st_size)) return true;
    munmap(map, (size_t)about.st_size);
    return false;
}

static const char *wanted_language(void)
{
    static const char *const NAMES[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++) {
        const char *value = getenv(NAMES[i]);
        if (value && *value) return sw_starts_with(value, "zh") ? "zh" : "en";
    }
    return "en";
}

int sw_text_open(const char *language, const char *folder)
{
    if (!language) language = wanted_language();
    catalogue = (struct catalogue){0};
    if (strcmp(language, "en") == 0) return 1;
    if (strcmp(language, "zh") != 0) return 0;
    struct str path = {0};
    str_printf(&path, "%s/zh_CN/LC_MESSAGES/softwarp.mo", folder);
    bool opened = catalogue_open(str_text(&path));
    str_release(&path);
    return opened;
}
