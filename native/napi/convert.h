// Between JavaScript values and the engine's structs.
//
// Both ways the fields travel in a fixed order and not as named properties: looking up and adding some forty
// property names was most of what a small command cost the JavaScript thread. A request has all texts in one
// string and all numbers in one array, so that few calls of Node-API read it.
// lib/processes/engine/native/engine.ts has the same order.
#ifndef BASHWARD_NAPI_CONVERT_H_
#define BASHWARD_NAPI_CONVERT_H_

#include <napi.h>

#include <memory>
#include <optional>
#include <vector>

#include "process/command_spec.h"
#include "sandbox/ruleset_store.h"
#include "sys/unique_fd.h"

namespace bashward::addon {

// `texts`, each ended by a NUL: supervisor, shell, command, directory, save path, job directory, job
// description, scratch directory, grant of the proxy; lists of paths, each path after a SOH: writable roots,
// watched paths, unreadable paths, those of the default list after an empty one; mark of the call. `numbers`:
// separate streams, head bytes, tail bytes, timeout in ms, grace in ms, kill survivors, save limit,
// background, job limit in ms, job output limit in bytes, state limit in bytes, prologue descriptor,
// confined, probe, scratch limit in bytes, shared memory, loopback, unix sockets, port and control port of
// the proxy, may adopt, ms until the command becomes a job (0: never), durable mark, number of limits; then
// resource, soft and hard limit of each. `prologue` is a Buffer for a session, else undefined; `variables` is
// a string or undefined. That side has checked them. `input` is null for none. Nothing when there is another
// number of texts: one of them has a NUL; or with a refusal, when a confined command cannot have these paths.
// Its ruleset is made here, or taken from `rulesets`.
std::optional<process::CommandSpec> ToCommandSpec(sandbox::RulesetStore* rulesets, sandbox::Refusal* refusal,
                                                  const Napi::String& texts,
                                                  const Napi::Float64Array& numbers,
                                                  const Napi::Buffer<char>& environment,
                                                  const Napi::Value& prologue, const Napi::Value& variables,
                                                  std::shared_ptr<const sys::UniqueFd> input);

// What a command reads: a Buffer, the number of a descriptor of this process, or undefined. False with errno.
bool ToInput(const Napi::Value& value, std::shared_ptr<const sys::UniqueFd>* input);

// The answer to a question for a job: [directory, description, output limit in bytes], or undefined.
std::optional<process::JobPlan> ToJobPlan(const Napi::Value& value);

// outcome, pid, step (a string, or undefined), errno; exit code (-1: none), signal (0: none), user ms, system
// ms, largest RSS in bytes (all five undefined when the shell's end is not known); bytes saved, errno of
// saving; first stream, second stream, survivors (an array of {pid, command, daemon, holdsOutput}, or
// undefined), adopted, state (a Buffer, or undefined when there is none); protections in force and those that
// a probe has confirmed (bits), whether the scratch directory was full; {denials: an array of {operation,
// target}, denialsDropped, changed: an array of paths, changedDropped, brokerEnded}, or undefined when the
// sandbox has nothing to report; the step (or undefined) and the errno of handing it over, when that failed;
// whether it was handed over; the descriptor of the call's mark, which is JavaScript's to close (-1: none was
// made, -2: none was left for it). A stream is undefined when empty; a string when it is whole and all ASCII
// without NUL; else [head, tail, total].
std::vector<napi_value> FromCompletion(Napi::Env env, const process::Completion& completion);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_CONVERT_H_
