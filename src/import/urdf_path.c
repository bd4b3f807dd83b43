/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of meshes in URDF: package://NAME/rest by the caller's table, else in a folder NAME beside one of the folders
 * above the file; file:// and plain names inside the folder of the file. No path leaves the folder it starts from,
 * unless the caller lets it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/urdf_read.h"

static int is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* The folder of a package by walking up from the file; 0: not found. */
static int walk_up(const char *from, const char *name, char *out, size_t size) {
    char folder[2048];
    int n = snprintf(folder, sizeof folder, "%s", from);
    for (int level = 0; n > 0 && (size_t)n < sizeof folder && level < 32; ++level) {
        if ((size_t)snprintf(out, size, "%s/%s", folder, name) < size && is_folder(out)) return 1;
        n = snprintf(folder + strlen(folder), sizeof folder - strlen(folder), "/..") < 0 ? -1 : (int)strlen(folder);
    }
    return 0;
}

/* The folder of a package in a list of folders: FOLDER/NAME, FOLDER/share/NAME, or FOLDER itself. */
static int search(const char *list, const char *name, char *out, size_t size) {
    static const char *const forms[] = {"%.*s/%s", "%.*s/share/%s"};
    size_t room = strlen(name);
    for (const char *p = list; p && *p;) {
        size_t n = strcspn(p, ":");
        for (int i = 0; i < 2 && n; ++i)
            if ((size_t)snprintf(out, size, forms[i], (int)n, p, name) < size && is_folder(out)) return 1;
        if (n > room && n < size && p[n - room - 1] == '/' && strncmp(p + n - room, name, room) == 0) {
            memcpy(out, p, n);
            out[n] = 0;
            if (is_folder(out)) return 1;
        }
        p += n + (p[n] == ':');
    }
    return 0;
}

static int find_package(const AbutModelReadOptions *options, const char *name, char *out, size_t size) {
    if (!*name || *name == '.' || strchr(name, '/')) return 0;
    for (int32_t i = 0; i < options->package_count; ++i)
        if (strcmp(options->packages[i].name, name) == 0)
            return (size_t)snprintf(out, size, "%s", options->packages[i].value) < size;
    return search(options->package_path, name, out, size) ||
           (options->folder && walk_up(options->folder, name, out, size)) ||
           search(getenv("AMENT_PREFIX_PATH"), name, out, size) || search(getenv("ROS_PACKAGE_PATH"), name, out, size);
}

/* Names of files in a package are read from the folder of another file, so relative folders become whole paths. */
int abut_urdf_package(const AbutModelReadOptions *options, const char *name, char *out, size_t size) {
    char here[2048], found[2048];
    if (!find_package(options, name, found, sizeof found)) return 0;
    if (*found == '/' || found[1] == ':') return (size_t)snprintf(out, size, "%s", found) < size;
    return getcwd(here, sizeof here) && (size_t)snprintf(out, size, "%s/%s", here, found) < size;
}

static AbutStatus package_path(
    AbutUrdfReader *reader, const AbutXmlElement *element, const char *name, char *out, size_t size, AbutError *error) {
    char package[200], folder[2048];
    const char *rest = strchr(name, '/');
    size_t length = rest ? (size_t)(rest - name) : 0;
    if (length == 0 || length >= sizeof package || name[0] == '.' ||
        (!reader->options.allow_outside && !abut_mjcf_stays_inside(rest + 1)))
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT,
            "attribute filename: expected package://NAME/FILE inside the package, got '%.100s'", name);
    memcpy(package, name, length);
    package[length] = 0;
    if (!abut_urdf_package(&reader->options, package, folder, sizeof folder))
        return abut_xml_fail(error, element, ABUT_ERROR_FILE,
            "attribute filename: no package '%.80s' in the table, in the package path and above the file", package);
    if ((size_t)snprintf(out, size, "%s%s", folder, rest) >= size)
        return abut_xml_fail(error, element, ABUT_ERROR_LIMIT, "attribute filename: expected a shorter path");
    if (!reader->options.allow_outside && abut_mjcf_leads_out(folder, out))
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT,
            "attribute filename: '%.100s' is a link out of its package; allow-outside follows it", name);
    return ABUT_OK;
}

AbutStatus abut_urdf_path(
    AbutUrdfReader *reader, const AbutXmlElement *element, const char *name, char *out, size_t size, AbutError *error) {
    const char *folder = reader->options.folder;
    if (strncmp(name, "package://", 10) == 0) return package_path(reader, element, name + 10, out, size, error);
    if (strncmp(name, "file://", 7) == 0) name += 7;
    size_t length = folder ? strlen(folder) : 0;
    for (int i = 1; i < reader->folder_count; ++i) /* of packages that xacro found */
        if (*name == '/' && !strstr(name, "/../") &&
            strncmp(name, reader->folders[i], strlen(reader->folders[i])) == 0 &&
            !abut_mjcf_leads_out(reader->folders[i], name) && strlen(name) < size) {
            strcpy(out, name);
            return ABUT_OK;
        }
    if (length && strncmp(name, folder, length) == 0 && name[length] == '/') name += length + 1;
    if (!folder || (!reader->options.allow_outside && !abut_mjcf_stays_inside(name)))
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT,
            "attribute filename: expected package://, or a file inside the folder of the URDF file, got '%.100s'; "
            "allow-outside lets it lie elsewhere",
            name);
    if (!abut_mjcf_locate(folder, name, out, size))
        return abut_xml_fail(error, element, ABUT_ERROR_LIMIT, "attribute filename: expected a shorter path");
    if (!reader->options.allow_outside && abut_mjcf_leads_out(folder, out))
        return abut_xml_fail(error, element, ABUT_ERROR_FORMAT,
            "attribute filename: '%.100s' is a link out of the folder of the file; allow-outside follows it", name);
    return ABUT_OK;
}
