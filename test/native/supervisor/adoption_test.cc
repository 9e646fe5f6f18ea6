#include <errno.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>

#include "process/request_encoding.h"
#include "supervisor/request.h"
#include "support/control_socket.h"

namespace bashward::supervisor {
namespace {

using process::EncodeAdoption;

void Receive(const std::string& body, const std::function<void(bool, const Adoption&)>& check) {
  test::WithControlSocket(body, [&] {
    Adoption adoption{};
    errno = EIO;
    const bool received = ReceiveAdoption(static_cast<uint32_t>(body.size()), &adoption);
    EXPECT_TRUE(received || errno == 0) << "errno " << errno;
    check(received, adoption);
  });
}

void ExpectRefused(const std::string& body) {
  Receive(body, [](bool received, const Adoption&) { EXPECT_FALSE(received); });
}

std::string Altered(const std::function<void(protocol::Adoption*)>& alter) {
  std::string body = EncodeAdoption("/jobs/1", "{", 5);
  protocol::Adoption header;
  memcpy(&header, body.data(), sizeof header);
  alter(&header);
  memcpy(body.data(), &header, sizeof header);
  return body;
}

TEST(ReceiveAdoption, ReadsWhatTheHostSends) {
  Receive(EncodeAdoption("/jobs/1", "{\"version\":1,", 1ULL << 40),
          [](bool received, const Adoption& adoption) {
            ASSERT_TRUE(received);
            EXPECT_STREQ(adoption.directory, "/jobs/1");
            EXPECT_STREQ(adoption.description, "{\"version\":1,");
            EXPECT_EQ(adoption.output_limit, 1ULL << 40);
          });
}

TEST(ReceiveAdoption, RefusesSizesThatAreNotThoseOfTheTexts) {
  ExpectRefused(Altered([](protocol::Adoption* header) { ++header->directory_size; }));
  ExpectRefused(Altered([](protocol::Adoption* header) { --header->description_size; }));
  ExpectRefused(Altered([](protocol::Adoption* header) { header->directory_size = ~0U; }));
  ExpectRefused(Altered([](protocol::Adoption* header) {
    header->directory_size += header->description_size;
    header->description_size = 0;
  }));
}

TEST(ReceiveAdoption, RefusesTextsWithoutAnEnd) {
  std::string body = EncodeAdoption("/jobs/1", "{", 5);
  body[sizeof(protocol::Adoption) + 7] = 'x';
  ExpectRefused(body);
  body = EncodeAdoption("/jobs/1", "{", 5);
  body.back() = 'x';
  ExpectRefused(body);
}

TEST(ReceiveAdoption, RefusesABodyThatIsTooShort) {
  ExpectRefused(EncodeAdoption("/jobs/1", "{", 5).substr(0, sizeof(protocol::Adoption) - 1));
}

}  // namespace
}  // namespace bashward::supervisor
