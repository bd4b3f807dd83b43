# SPDX-License-Identifier: Apache-2.0
# Short names for the usual CMake commands; CMakeLists.txt and CMakePresets.json hold the build itself.
#   make            library and command-line tool, release, at build/
#   make demo       simulate 50 falling boxes; a page, a picture and tables in out/
#   make playground the page of `abut playground` at out/play.html (fetches emscripten, 1.2 GB)
#   make docs       the documentation as a site at out/site (PLAYGROUND=ON embeds the playground; fetches emscripten)
#   make python     the Python package in place: PYTHONPATH=python/src
#   make test       build and run all tests; closes with "N passed, N failed"
#   make check-all  clang, sanitizers, static analysis, fuzzers, coverage (FUZZ_SECONDS=300 for each fuzzer)
#   make bench      speed and correctness beside other libraries
#   make bench-report everything beside other libraries on one commit: pages, charts and CSV in docs/bench (minutes; fetches them)
#   make bench-quick  instructions of fixed workloads beside the stored counts; no peers, no clock
#   make bench-wasm the same for boxes beside WebAssembly builds, in Node (fetches three npm packages)
#   make bench-corpus public failure reports: which library of today is right
#   make bench-python what calling from Python costs over C, and beside other bindings
#   make wheel      the source archive and the Python wheel in out/release (fetches emscripten, 1.2 GB)
#   make npm        the npm package in out/release, the same way
#   make deb        Debian packages in out/release, the same way
#   make install    PREFIX=/usr/local; DESTDIR is honored
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
WERROR ?= OFF
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 300
export JOBS FUZZ_SECONDS
MAKEFLAGS += --no-print-directory

PLAYGROUND ?= AUTO

.PHONY: all demo docs playground python test check-all bench bench-report bench-quick bench-wasm bench-corpus bench-python wheel npm deb install format lint clean

all:
	@scripts/deps build
	@cmake --preset release -DABUT_BUILD_TESTS=OFF -DABUT_BUILD_EXAMPLES=OFF -DABUT_WERROR=$(WERROR)
	@cmake --build build -j $(JOBS)

demo: all
	@scripts/demo

playground:
	@scripts/deps build playground
	@cmake --preset release -DABUT_WITH_PLAYGROUND=ON -DABUT_WERROR=$(WERROR)
	@cmake --build build -j $(JOBS) --target abut playground
	@mkdir -p out
	@build/abut playground -o out/play.html

docs:
	@scripts/deps build python $(if $(filter ON,$(PLAYGROUND)),playground)
	@cmake --preset release -DABUT_BUILD_PYTHON=ON -DABUT_WITH_PLAYGROUND=$(PLAYGROUND) -DABUT_WERROR=$(WERROR)
	@cmake --build build -j $(JOBS) --target abut abut_python $(if $(filter ON,$(PLAYGROUND)),playground)
	@scripts/docs build

python:
	@scripts/deps build python
	@cmake --preset release -DABUT_BUILD_TESTS=OFF -DABUT_BUILD_EXAMPLES=OFF -DABUT_BUILD_PYTHON=ON -DABUT_WERROR=$(WERROR)
	@cmake --build build -j $(JOBS) --target abut_python
	@echo "built in place: PYTHONPATH=$(CURDIR)/python/src /usr/bin/python3"

test:
	@scripts/deps test
	@cmake --preset release -DABUT_BUILD_TESTS=ON -DABUT_BUILD_EXAMPLES=ON -DABUT_BUILD_PYTHON=AUTO -DABUT_WERROR=$(WERROR)
	@cmake --build build -j $(JOBS)
	@scripts/run-tests build

check-all:
	@scripts/deps check
	@scripts/check-all

bench:
	@scripts/deps bench
	@cmake --preset bench
	@cmake --build build-bench -j $(JOBS)
	@build-bench/bench/abut-bench $(BENCH_ARGS)

bench-report:
	@scripts/bench-report $(BENCH_ARGS)

bench-quick: all
	@scripts/bench-quick build

bench-wasm:
	@scripts/deps build
	@cmake --preset bench
	@cmake --build build-bench -j $(JOBS) --target abut-bench
	@scripts/bench-wasm build-bench

bench-corpus: all
	@scripts/deps peers
	@build-bench/peers/bin/python bench/corpus/ask_peers.py build/abut

bench-python: python
	@cmake --build build -j $(JOBS) --target python_reference
	@PYTHONPATH=python/src /usr/bin/python3 bench/python/bench.py build/python/python_reference
	@PYTHONPATH=python/src /usr/bin/python3 bench/python/peers.py

wheel:
	@scripts/deps wheel
	@scripts/release source wheel

npm:
	@scripts/deps build playground
	@scripts/release source npm

deb:
	@scripts/deps deb
	@scripts/release source deb

install: all
	@cmake --install build --prefix $(PREFIX)

format:
	@git ls-files '*.c' '*.h' '*.hpp' '*.inc' '*.cpp' | xargs clang-format-14 -i

lint:
	@scripts/deps check
	@scripts/check-all tidy cppcheck shell

clean:
	rm -rf build build-* out
