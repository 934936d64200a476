# The installed package: find_package(txproof) gives
#
#   txproof::model     the language, elaboration, the interpreter, the kinds of verdict
#   txproof::checker   search, analysis of cycles, random runs, patches, traces
#   txproof::harness   tests of models and of real code (only where RapidCheck was found)
#
# Headers keep the paths by which they include each other, below include/txproof-VERSION. Nothing in
# it knows where it is installed, so the prefix may be moved.
include(CMakePackageConfigHelpers)

add_library(txproof_model INTERFACE)
target_link_libraries(txproof_model INTERFACE txproof_properties)
set_target_properties(txproof_model PROPERTIES EXPORT_NAME model)
add_library(txproof_checker INTERFACE)
target_link_libraries(txproof_checker INTERFACE txproof_graph txproof_sampling txproof_diff
                                                txproof_counterexamples)
set_target_properties(txproof_checker PROPERTIES EXPORT_NAME checker)
set(txproof_installed
    txproof_lang txproof_program txproof_properties txproof_explicit txproof_graph txproof_sampling
    txproof_diff txproof_counterexamples txproof_model txproof_checker)
set(txproof_header_folders model/lang model/program properties checker/explicit checker/graph
                           checker/sampling checker/diff counterexamples)
if(TARGET txproof_harness)
  set_target_properties(txproof_harness PROPERTIES EXPORT_NAME harness)
  list(APPEND txproof_installed txproof_harness)
  list(APPEND txproof_header_folders harness)
endif()

install(TARGETS ${txproof_installed} EXPORT txproofTargets COMPONENT package
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/txproof)
foreach(folder ${txproof_header_folders})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder}/ COMPONENT package
          DESTINATION ${TXPROOF_INCLUDE_DIR}/${folder} FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY model properties COMPONENT package DESTINATION ${CMAKE_INSTALL_DATADIR}/txproof
        FILES_MATCHING PATTERN "*.tx" PATTERN "*.patch")

set(txproof_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/txproof)
set(txproof_share_folder ${CMAKE_INSTALL_DATADIR}/txproof)
install(EXPORT txproofTargets COMPONENT package NAMESPACE txproof::
        DESTINATION ${txproof_package_folder})
configure_package_config_file(
  cmake/txproofConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/txproofConfig.cmake
  INSTALL_DESTINATION ${txproof_package_folder} PATH_VARS txproof_share_folder)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/txproofConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/txproofConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/txproofConfigVersion.cmake
        COMPONENT package DESTINATION ${txproof_package_folder})

# Builds what the package holds, and nothing else: `ninja txproof_package`, then
# `cmake --install build --component package --prefix DIR`.
add_custom_target(txproof_package)
foreach(library ${txproof_installed})
  get_target_property(kind ${library} TYPE)
  if(kind STREQUAL "STATIC_LIBRARY")
    add_dependencies(txproof_package ${library})
  endif()
endforeach()
