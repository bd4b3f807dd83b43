# SPDX-License-Identifier: Apache-2.0
vcpkg_download_distfile(archive URLS "@URL@/abut-@VERSION@.tar.gz" FILENAME "abut-@VERSION@.tar.gz" SHA512 @SHA512@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES xml ABUT_WITH_XML zlib ABUT_WITH_ZLIB openmp ABUT_OPENMP)
vcpkg_cmake_configure(SOURCE_PATH "${source}" OPTIONS ${features} -DABUT_BUILD_CLI=OFF -DABUT_BUILD_TESTS=OFF -DABUT_BUILD_EXAMPLES=OFF
                      -DABUT_WITH_PLAYGROUND=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/abut)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share" "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
