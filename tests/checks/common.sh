# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the checks share; to be sourced. Each check takes SOURCE_DIR and BINARY_DIR, prints what is wrong and fails then.

# Ends the check: without the tool $1 it is skipped, or fails where a CI system asks for all of them.
tool_is_missing() {
    echo "$1 is not installed"
    [ -z "${CI:-}" ] || exit 1
    exit 77
}

# Files of the project in the current folder, one a line: those git knows or would add; all of them in a plain copy.
project_files() {
    if [ -e .git ] && command -v git >/dev/null; then
        git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
            if [ -e "$file" ]; then echo "$file"; fi
        done
        return
    fi
    local names=() name
    for name in "$@"; do names+=(-o -name "$name"); done
    find . \( -name .git -o -name 'build*' -o -name out -o -name node_modules \) -prune -o -type f \
        \( "${names[@]:1}" \) -print | sed 's|^\./||' | sort
}

# Rooms of the library from the lowest to the tool, one a line.
room_names() {
    awk '!/^#/ && NF { print $1 }' src/rooms
}

# Declarations of the public headers, one a line: "ABUT_API" or "ABUT_INLINE", then the head of the function.
public_declarations() {
    cat include/abut/*.h | awk '
        { gsub(/\/\*[^*]*\*\//, "") }
        /\/\*/ { sub(/\/\*.*/, ""); comment = 1 }
        comment && /\*\// { sub(/.*\*\//, ""); comment = 0; }
        comment && !/[^ ]/ { next }
        /^ABUT_(API|INLINE) / { on = 1; text = "" }
        on { text = text " " $0; if ($0 ~ /[;{]/ ) { on = 0; sub(/[;{].*/, "", text); gsub(/ +/, " ", text); print substr(text, 2) } }'
}

# Names of the functions declared with the word $1 (ABUT_API or ABUT_INLINE).
public_names() {
    public_declarations | sed -nE "s/^($1) [^(]*\b(abut_[a-z0-9_]+) ?\(.*/\2/p" | sort -u
}

# Names of the lists of words: "ABUT_API extern const char *const abut_NAME_names[]".
public_words() {
    public_declarations | sed -nE "s/^ABUT_API extern const char \*const (abut_[a-z0-9_]+)\[\]$/\1/p" | sort -u
}

# Names of the tables: "ABUT_API extern const AbutRecord abut_NAME_record".
public_tables() {
    public_declarations | sed -nE "s/^ABUT_API extern const AbutRecord (.*)$/\1/p" | tr -d " " | tr "," "\n" | sort -u
}
