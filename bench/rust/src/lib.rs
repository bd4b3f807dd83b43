// SPDX-License-Identifier: Apache-2.0
//! Libraries written in Rust behind functions of C, for abut-bench. Built by `scripts/deps peers`.
mod parry;
mod rapier;
