/* SPDX-License-Identifier: Apache-2.0 */
/* Texts for people in their language: the catalogue share/locale/LANG/LC_MESSAGES/softwarp.mo, as msgfmt
 * writes it. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdint.h>

/* The translation of a text, or the text itself. Valid as long as the process. */
const char *sw_text(const char *english) __attribute__((format_arg(1)));
#define _(text)  sw_text(text)
#define N_(text) text /* in tables: translated where it is printed */

/* Speak a language from now on: "en", "zh", or NULL for what LC_ALL, LC_MESSAGES or LANG say. folder: the one
 * that holds LANG/LC_MESSAGES. Needs no locale of the system. Returns 0 when the language is not known, or
 * its catalogue is not there: then English stays. Not thread-safe. */
int sw_text_open(const char *language, const char *folder);
/* The same of a catalogue in memory, aligned to 4 bytes, which stays there. Returns 0 when it is none, or has
 * texts outside of itself: then what was spoken stays. */
int sw_text_use(const void *catalogue, uint64_t bytes);
#endif
