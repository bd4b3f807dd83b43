# SPDX-License-Identifier: Apache-2.0
class Abut < Formula
  desc "Contact between bodies: distance, depth, overlap, modes, forces"
  homepage "@URL@"
  url "@URL@/abut-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "cmake" => :build
  uses_from_macos "libxml2"
  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", *std_cmake_args, "-DABUT_BUILD_TESTS=OFF", "-DABUT_BUILD_EXAMPLES=OFF",
           "-DABUT_WITH_XML=ON", "-DABUT_WITH_ZLIB=ON"
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "separated", shell_output("#{bin}/abut distance sphere:1 box:1,1,1 --pose-b 3,0,0")
  end
end
