# The style and the script of the page as strings, each with its hash, as the
# policy of the page names it: "sha256-" and base64 of the 32 bytes.

# The base64 of the bytes that `hex` writes, of which there are 32.
function(cudalint_base64 hex result)
  set(alphabet
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text)
  # 6 digits are 4 letters. The last 4 digits are 3 letters, and 2 bits remain.
  string(APPEND hex "00")
  foreach(group RANGE 10)
    math(EXPR at "${group} * 6")
    string(SUBSTRING "${hex}" ${at} 6 digits)
    foreach(shift 18 12 6 0)
      math(EXPR letter "(0x${digits} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${letter} 1 letter)
      string(APPEND text "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${text}" 0 43 text)
  set(${result} "${text}=" PARENT_SCOPE)
endfunction()

# Writes `output`, which defines what PageAssets.h declares. It is written anew
# when a part changes.
function(cudalint_embed_page output)
  foreach(part style script)
    set(file "${CMAKE_CURRENT_SOURCE_DIR}/page.css")
    if(part STREQUAL "script")
      set(file "${CMAKE_CURRENT_SOURCE_DIR}/page.js")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" ${part})
    if("${${part}}" MATCHES "</(style|script)|[)]page\"")
      message(FATAL_ERROR "${file} ends the element that it is in")
    endif()
    string(SHA256 hex "${${part}}")
    cudalint_base64("${hex}" ${part}_hash)
  endforeach()
  file(CONFIGURE OUTPUT "${output}" CONTENT [=[
// Made of page.css and page.js by EmbedPage.cmake.
#include "report/page/PageAssets.h"

namespace cudalint {

const std::string_view PageStyle = R"page(@style@)page";
const std::string_view PageStyleHash = "sha256-@style_hash@";
const std::string_view PageScript = R"page(@script@)page";
const std::string_view PageScriptHash = "sha256-@script_hash@";

} // namespace cudalint
]=] @ONLY)
endfunction()
