#include "supervisor/request.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cstring>
#include <functional>
#include <string>

#include "process/request_encoding.h"
#include "support/control_socket.h"
#include "support/seccomp.h"

namespace bashward::supervisor {
namespace {

using namespace std::string_literals;
using process::EncodeRequest;
using process::RequestParts;
using protocol::MessageType;

const std::string kEnvironment = "A=1\0EMPTY=\0B=two words\0"s;

RequestParts SomeParts() {
  RequestParts parts;
  parts.shell = "/bin/bash";
  parts.command = "echo hi";
  parts.directory = "/tmp";
  parts.scratch = "/tmp/s";
  parts.scratch_limit = 1ULL << 40;
  parts.proxy_grant = "GRANT";
  parts.proxy_port = 8080;
  parts.mark = "{}";
  parts.environment = kEnvironment;
  parts.flags = protocol::kDropIntrospection;
  parts.limits = {{7, 0, 100, 200}};
  return parts;
}

std::string Message(const std::string& body, MessageType type = MessageType::kRequest) {
  const protocol::MessageHeader header{type, static_cast<uint32_t>(body.size())};
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + body;
}

void Receive(const std::string& bytes, const std::function<void(bool, const Request&)>& check) {
  test::WithControlSocket(bytes, [&] {
    Request request{};
    errno = EIO;
    const bool received = ReceiveRequest(&request);
    EXPECT_TRUE(received || errno == 0) << "errno " << errno;
    check(received, request);
  });
}

void ExpectRefused(const std::string& bytes) {
  Receive(bytes, [](bool received, const Request&) { EXPECT_FALSE(received); });
}

// A request whose header was changed after it had been encoded.
std::string Altered(const std::function<void(protocol::Request*)>& alter) {
  std::string body = EncodeRequest(SomeParts());
  protocol::Request header;
  memcpy(&header, body.data(), sizeof header);
  alter(&header);
  memcpy(body.data(), &header, sizeof header);
  return Message(body);
}

// A request with one byte of its texts changed.
std::string AlteredText(size_t position, char value) {
  std::string body = EncodeRequest(SomeParts());
  body[sizeof(protocol::Request) + position] = value;
  return Message(body);
}

constexpr size_t kShellEnd = 9;                    // of "/bin/bash"
constexpr size_t kCommandEnd = kShellEnd + 8;      // of "echo hi"
constexpr size_t kDirectoryEnd = kCommandEnd + 5;  // of "/tmp"
constexpr size_t kJobDirectoryEnd = kDirectoryEnd + 1;
constexpr size_t kJobDescriptionEnd = kJobDirectoryEnd + 1;
constexpr size_t kPrologueEnd = kJobDescriptionEnd + 1;
constexpr size_t kScratchEnd = kPrologueEnd + 7;    // of "/tmp/s"
constexpr size_t kProxyGrantEnd = kScratchEnd + 6;  // of "GRANT"
constexpr size_t kMarkEnd = kProxyGrantEnd + 3;     // of "{}"

TEST(ReceiveRequest, GivesWhatWasEncoded) {
  Receive(Message(EncodeRequest(SomeParts())), [](bool received, const Request& request) {
    ASSERT_TRUE(received);
    EXPECT_STREQ(request.shell, "/bin/bash");
    EXPECT_STREQ(request.command, "echo hi");
    EXPECT_EQ(request.command_length, 7U);
    EXPECT_STREQ(request.directory, "/tmp");
    EXPECT_STREQ(request.scratch, "/tmp/s");
    EXPECT_EQ(request.header.scratch_limit, 1ULL << 40);
    EXPECT_STREQ(request.proxy_grant, "GRANT");
    EXPECT_EQ(request.proxy_grant_length, 5U);
    EXPECT_EQ(request.header.proxy_port, 8080U);
    EXPECT_STREQ(request.mark, "{}");
    EXPECT_STREQ(request.environment[0], "A=1");
    EXPECT_STREQ(request.environment[1], "EMPTY=");
    EXPECT_STREQ(request.environment[2], "B=two words");
    EXPECT_EQ(request.environment[3], nullptr);
    EXPECT_EQ(request.header.flags, protocol::kDropIntrospection);
    ASSERT_EQ(request.header.limit_count, 1U);
    EXPECT_EQ(request.header.limits[0].resource, 7U);
    EXPECT_EQ(request.header.limits[0].soft, 100U);
    EXPECT_EQ(request.header.limits[0].hard, 200U);
  });
}

TEST(ReceiveRequest, RefusesWhatItDoesNotKnow) {
  for (const uint32_t flag : {1U << 16, 1U << 31}) {
    const std::string bytes = Altered([flag](protocol::Request* header) { header->flags |= flag; });
    test::WithControlSocket(bytes, [] {
      Request request{};
      errno = 0;
      EXPECT_FALSE(ReceiveRequest(&request));
      EXPECT_EQ(errno, ENOTSUP);
    });
  }
}

TEST(ReceiveRequest, TakesAnEmptyCommandAndNoEnvironment) {
  RequestParts parts = SomeParts();
  parts.command = "";
  parts.environment = "";
  Receive(Message(EncodeRequest(parts)), [](bool received, const Request& request) {
    ASSERT_TRUE(received);
    EXPECT_STREQ(request.command, "");
    EXPECT_EQ(request.command_length, 0U);
    EXPECT_EQ(request.environment[0], nullptr);
  });
}

TEST(ReceiveRequest, TakesEmptyEntriesOfTheEnvironment) {
  RequestParts parts = SomeParts();
  const std::string environment = "\0A=\0\0"s;
  parts.environment = environment;
  Receive(Message(EncodeRequest(parts)), [](bool received, const Request& request) {
    ASSERT_TRUE(received);
    EXPECT_STREQ(request.environment[0], "");
    EXPECT_STREQ(request.environment[1], "A=");
    EXPECT_STREQ(request.environment[2], "");
    EXPECT_EQ(request.environment[3], nullptr);
  });
}

TEST(ReceiveRequest, TakesFourMebibytesOfCommandAndAThousandVariables) {
  RequestParts parts = SomeParts();
  const std::string command(4 * 1024 * 1024, 'c');
  std::string environment;
  for (int i = 0; i < 1000; ++i) environment += "V" + std::to_string(i) + "=x" + '\0';
  parts.command = command;
  parts.environment = environment;
  Receive(Message(EncodeRequest(parts)), [&](bool received, const Request& request) {
    ASSERT_TRUE(received);
    EXPECT_TRUE(request.command == command);
    EXPECT_STREQ(request.environment[999], "V999=x");
    EXPECT_EQ(request.environment[1000], nullptr);
  });
}

TEST(ReceiveRequest, TakesTheSizeOfATerminal) {
  RequestParts parts = SomeParts();
  parts.flags = protocol::kBackground | protocol::kTerminal;
  parts.rows = 24;
  parts.columns = 100;
  Receive(Message(EncodeRequest(parts)), [](bool received, const Request& request) {
    ASSERT_TRUE(received);
    EXPECT_EQ(request.header.rows, 24);
    EXPECT_EQ(request.header.columns, 100);
  });
}

TEST(ReceiveRequest, RefusesATerminalThatNobodyServes) {
  constexpr uint32_t kJob = protocol::kBackground | protocol::kTerminal;
  const auto refuse = [](uint32_t flags, uint16_t rows, uint16_t columns) {
    RequestParts parts = SomeParts();
    parts.flags = flags;
    parts.rows = rows;
    parts.columns = columns;
    ExpectRefused(Message(EncodeRequest(parts)));
  };
  refuse(protocol::kTerminal, 24, 80);
  refuse(kJob, 0, 80);
  refuse(kJob, 24, 0);
  refuse(protocol::kBackground, 24, 80);
  for (const uint32_t other : {protocol::kSeparateStreams, protocol::kHasInput, protocol::kProbe}) {
    refuse(kJob | other, 24, 80);
  }
}

TEST(ReceiveRequest, RefusesAHostThatIsGone) {
  ExpectRefused("");
}
TEST(ReceiveRequest, RefusesAHeaderThatIsCutOff) {
  ExpectRefused(Message(EncodeRequest(SomeParts())).substr(0, 5));
}

TEST(ReceiveRequest, RefusesARequestThatIsCutOffAnywhere) {
  const std::string whole = Message(EncodeRequest(SomeParts()));
  for (size_t size = sizeof(protocol::MessageHeader); size < whole.size(); size += 11) {
    ExpectRefused(whole.substr(0, size));
  }
  ExpectRefused(whole.substr(0, whole.size() - 1));
}

TEST(ReceiveRequest, SaysWhichErrorKeptItFromReceiving) {
  test::WithControlSocket(Message(EncodeRequest(SomeParts())), [] {
    test::RefuseSystemCall(SYS_recvfrom, ENOMEM);
    Request request{};
    EXPECT_FALSE(ReceiveRequest(&request));
    EXPECT_EQ(errno, ENOMEM);
  });
}

TEST(ReceiveRequest, RefusesAnotherMessage) {
  ExpectRefused(Message(EncodeRequest(SomeParts()), MessageType::kKill));
}

TEST(ReceiveRequest, RefusesAMessageTooSmallForARequest) {
  ExpectRefused(Message("tiny"));
}

TEST(ReceiveRequest, RefusesASizeThatNoRequestHas) {
  const protocol::MessageHeader header{MessageType::kRequest, ~uint32_t{0}};
  ExpectRefused(std::string(reinterpret_cast<const char*>(&header), sizeof header) +
                EncodeRequest(SomeParts()));
}

TEST(ReceiveRequest, RefusesTheMagicOfAnotherVersion) {
  ExpectRefused(Altered([](protocol::Request* header) { ++header->magic; }));
}

TEST(ReceiveRequest, RefusesMoreLimitsThanThereIsRoomFor) {
  ExpectRefused(Altered([](protocol::Request* header) { header->limit_count = protocol::kMaxLimits + 1; }));
}

TEST(ReceiveRequest, RefusesSizesThatAddUpToTooLittle) {
  ExpectRefused(Altered([](protocol::Request* header) { --header->command_size; }));
}

TEST(ReceiveRequest, RefusesSizesThatAddUpToTooMuch) {
  ExpectRefused(Altered([](protocol::Request* header) { ++header->environment_size; }));
}

TEST(ReceiveRequest, RefusesSizesThatAddUpOnlyIn32Bits) {
  ExpectRefused(Altered([](protocol::Request* header) {
    header->shell_size += 0x80000000U;
    header->command_size += 0x80000000U;
  }));
}

TEST(ReceiveRequest, RefusesATextWithoutRoomForItsNul) {
  ExpectRefused(Altered([](protocol::Request* header) {
    header->command_size += header->shell_size;
    header->shell_size = 0;
  }));
  ExpectRefused(Altered([](protocol::Request* header) {
    header->shell_size += header->command_size;
    header->command_size = 0;
  }));
  ExpectRefused(Altered([](protocol::Request* header) {
    header->command_size += header->directory_size;
    header->directory_size = 0;
  }));
  ExpectRefused(Altered([](protocol::Request* header) {
    header->prologue_size += header->scratch_size;
    header->scratch_size = 0;
  }));
}

TEST(ReceiveRequest, RefusesDescriptorsOfASessionThatAreItsOwnOrNoNumbers) {
  for (const uint32_t descriptor : {0U, 6U, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
    ExpectRefused(Altered([descriptor](protocol::Request* header) {
      header->flags |= protocol::kSession;
      header->prologue_descriptor = descriptor;
    }));
  }
}

TEST(ReceiveRequest, RefusesAGrantWithoutItsNul) {
  ExpectRefused(AlteredText(kProxyGrantEnd, 'x'));
  ExpectRefused(AlteredText(kMarkEnd, 'x'));
}
TEST(ReceiveRequest, RefusesPortsThatAreNone) {
  ExpectRefused(Altered([](protocol::Request* header) { header->proxy_port = 0x10000; }));
  ExpectRefused(Altered([](protocol::Request* header) { header->proxy_control_port = 0x10000; }));
}

TEST(ReceiveRequest, RefusesAShellWithoutItsNul) {
  ExpectRefused(AlteredText(kShellEnd, 'x'));
}
TEST(ReceiveRequest, RefusesACommandWithoutItsNul) {
  ExpectRefused(AlteredText(kCommandEnd, 'x'));
}
TEST(ReceiveRequest, RefusesADirectoryWithoutItsNul) {
  ExpectRefused(AlteredText(kDirectoryEnd, 'x'));
}

TEST(ReceiveRequest, RefusesEmptyTextsWithoutTheirNul) {
  for (const size_t end : {kJobDirectoryEnd, kJobDescriptionEnd, kPrologueEnd})
    ExpectRefused(AlteredText(end, 'x'));
}
TEST(ReceiveRequest, RefusesAScratchDirectoryWithoutItsNul) {
  ExpectRefused(AlteredText(kScratchEnd, 'x'));
}

TEST(ReceiveRequest, RefusesAnEnvironmentWithoutItsLastNul) {
  ExpectRefused(AlteredText(kMarkEnd + kEnvironment.size(), 'x'));
}

TEST(ReceiveRequest, RefusesMoreVariablesThanBytes) {
  ExpectRefused(Altered([](protocol::Request* header) { header->environment_count = ~uint32_t{0}; }));
}

TEST(ReceiveRequest, RefusesACountOfVariablesThatIsTooSmall) {
  ExpectRefused(Altered([](protocol::Request* header) { --header->environment_count; }));
}

TEST(ReceiveRequest, RefusesACountOfVariablesThatIsTooLarge) {
  ExpectRefused(Altered([](protocol::Request* header) { ++header->environment_count; }));
}

}  // namespace
}  // namespace bashward::supervisor
