#include "process/request_encoding.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace bashward::process {
namespace {

using namespace std::string_literals;

protocol::Request Header(const std::string& encoded) {
  protocol::Request request{};
  memcpy(&request, encoded.data(), sizeof request);
  return request;
}

TEST(EncodeRequest, PutsTheTextsBehindTheHeaderInOrder) {
  RequestParts parts;
  parts.shell = "/bin/bash";
  parts.command = "echo hi";
  parts.directory = "/tmp";
  parts.job_directory = "/jobs/1";
  parts.job_description = "{";
  parts.prologue = "PS1=";
  parts.scratch = "/tmp/s";
  parts.proxy_grant = "GRANT\n";
  parts.mark = "{}\n/calls/1";
  parts.proxy_port = 8080;
  parts.proxy_control_port = 8081;
  const std::string environment = "A=1\0B=2\0"s;
  parts.environment = environment;
  parts.flags = protocol::kSeparateStreams;
  const std::string encoded = EncodeRequest(parts);
  EXPECT_EQ(encoded.substr(sizeof(protocol::Request)),
            "/bin/bash\0echo hi\0/tmp\0/jobs/1\0{\0PS1=\0/tmp/s\0GRANT\n\0{}\n/calls/1\0A=1\0B=2\0"s);
  const protocol::Request header = Header(encoded);
  EXPECT_EQ(header.magic, protocol::kMagic);
  EXPECT_EQ(header.flags, protocol::kSeparateStreams);
  EXPECT_EQ(header.shell_size, 10U);
  EXPECT_EQ(header.command_size, 8U);
  EXPECT_EQ(header.directory_size, 5U);
  EXPECT_EQ(header.job_directory_size, 8U);
  EXPECT_EQ(header.job_description_size, 2U);
  EXPECT_EQ(header.prologue_size, 5U);
  EXPECT_EQ(header.scratch_size, 7U);
  EXPECT_EQ(header.proxy_grant_size, 7U);
  EXPECT_EQ(header.mark_size, 12U);
  EXPECT_EQ(header.proxy_port, 8080U);
  EXPECT_EQ(header.proxy_control_port, 8081U);
  EXPECT_EQ(header.environment_size, 8U);
  EXPECT_EQ(header.environment_count, 2U);
}

TEST(EncodeRequest, EndsEmptyTextsWithTheirNul) {
  EXPECT_EQ(EncodeRequest({}).substr(sizeof(protocol::Request)), "\0\0\0\0\0\0\0\0\0"s);
  EXPECT_EQ(Header(EncodeRequest({})).environment_count, 0U);
}

TEST(EncodeRequest, PutsTheVariablesOfTheCommandLast) {
  RequestParts parts;
  const std::string environment = "A=1\0"s;
  const std::string variables = "A=2\0B=3\0"s;
  parts.environment = environment;
  parts.variables = variables;
  const std::string encoded = EncodeRequest(parts);
  EXPECT_EQ(encoded.substr(encoded.size() - 12), "A=1\0A=2\0B=3\0"s);
  EXPECT_EQ(Header(encoded).environment_size, 12U);
  EXPECT_EQ(Header(encoded).environment_count, 3U);
}

TEST(EncodeRequest, CountsEmptyEntriesOfTheEnvironment) {
  RequestParts parts;
  const std::string environment = "\0A=\0"s;
  parts.environment = environment;
  EXPECT_EQ(Header(EncodeRequest(parts)).environment_count, 2U);
}

TEST(EncodeRequest, CarriesTheLimits) {
  RequestParts parts;
  parts.limits = {{1, 0, 10, 20}, {2, 0, 30, ~uint64_t{0}}};
  const protocol::Request header = Header(EncodeRequest(parts));
  ASSERT_EQ(header.limit_count, 2U);
  EXPECT_EQ(header.limits[0].hard, 20U);
  EXPECT_EQ(header.limits[1].soft, 30U);
  EXPECT_EQ(header.limits[1].hard, ~uint64_t{0});
}

TEST(EncodeRequest, CarriesWhatTheSupervisorWatches) {
  RequestParts parts;
  parts.scratch_limit = 1ULL << 40;
  parts.grace_ms = 1000;
  parts.job_limit_ms = 1ULL << 41;
  parts.job_output_limit = 1ULL << 42;
  parts.prologue_descriptor = 60;
  const protocol::Request header = Header(EncodeRequest(parts));
  EXPECT_EQ(header.scratch_limit, 1ULL << 40);
  EXPECT_EQ(header.grace_ms, 1000U);
  EXPECT_EQ(header.job_limit_ms, 1ULL << 41);
  EXPECT_EQ(header.job_output_limit, 1ULL << 42);
  EXPECT_EQ(header.prologue_descriptor, 60U);
}

TEST(EncodeRequest, CarriesEveryFlag) {
  for (const uint32_t flag : {protocol::kDropIntrospection, protocol::kSeparateStreams, protocol::kBackground,
                              protocol::kSession, protocol::kConfined, protocol::kProbe}) {
    RequestParts parts;
    parts.flags = flag;
    EXPECT_EQ(Header(EncodeRequest(parts)).flags, flag);
  }
}

TEST(EncodeRequest, SendsNoMoreLimitsThanThereIsRoomFor) {
  RequestParts parts;
  parts.limits.assign(protocol::kMaxLimits + 3, {});
  EXPECT_EQ(Header(EncodeRequest(parts)).limit_count, protocol::kMaxLimits);
}

}  // namespace
}  // namespace bashward::process
