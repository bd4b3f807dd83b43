/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of meshes in URDF: package://NAME/rest by the caller's table, else in a folder NAME beside one of the folders
 * above the file; file:// and plain names inside the folder of the file. No path leaves the folder it starts from,
 * unless the caller lets it.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
    const char *found = NULL;
    for (int32_t i = 0; i < reader->options.package_count && !found; ++i)
        if (strcmp(reader->options.packages[i].name, package) == 0) found = reader->options.packages[i].value;
    if (!found && reader->options.folder && walk_up(reader->options.folder, package, folder, sizeof folder))
        found = folder;
    if (!found)
        return abut_xml_fail(error, element, ABUT_ERROR_FILE,
            "attribute filename: no package '%.80s' in the table and no such folder above the file", package);
    if ((size_t)snprintf(out, size, "%s%s", found, rest) >= size)
        return abut_xml_fail(error, element, ABUT_ERROR_LIMIT, "attribute filename: expected a shorter path");
    if (!reader->options.allow_outside && abut_mjcf_leads_out(found, out))
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
