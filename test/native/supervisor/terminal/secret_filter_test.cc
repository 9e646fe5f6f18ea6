#include "supervisor/terminal/secret_filter.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "support/forked.h"

namespace bashward::supervisor {
namespace {

// Its process may not be looked into any more.
void Filtering(const std::vector<std::string>& secrets, const std::function<void(SecretFilter&)>& body) {
  test::InForkedProcess([&] {
    SecretFilter filter;
    for (const std::string& secret : secrets) ASSERT_EQ(filter.Add(secret.data(), secret.size()), 0);
    body(filter);
  });
}

std::string Text(Shown shown) {
  return {shown.bytes, shown.size};
}

std::string Apply(SecretFilter& filter, const std::string& output) {
  return Text(filter.Apply(output.data(), output.size()));
}

// Leftmost, and of those that begin there the longest.
std::string Replaced(const std::string& output, const std::vector<std::string>& secrets) {
  std::string shown;
  for (size_t at = 0; at < output.size();) {
    size_t size = 0;
    for (const std::string& secret : secrets) {
      if (secret.size() > size && output.compare(at, secret.size(), secret) == 0) size = secret.size();
    }
    shown += size > 0 ? "[secret]" : output.substr(at, 1);
    at += size > 0 ? size : 1;
  }
  return shown;
}

TEST(SecretFilter, ShowsEverythingBeforeThereIsASecret) {
  SecretFilter filter;
  EXPECT_EQ(Apply(filter, "hunter2"), "hunter2");
  EXPECT_FALSE(filter.is_armed());
  EXPECT_FALSE(filter.holds());
}

TEST(SecretFilter, PutsAMarkInItsPlaceWhereverReadsAreCut) {
  Filtering({"hunter2"}, [](SecretFilter& filter) {
    const std::string output = "a hunter2, hunterhunter2hunter2.";
    for (size_t cut = 0; cut <= output.size(); ++cut) {
      std::string shown = Apply(filter, output.substr(0, cut));
      shown += Apply(filter, output.substr(cut));
      EXPECT_EQ(shown, "a [secret], hunter[secret][secret].") << cut;
      EXPECT_FALSE(filter.holds());
    }
  });
}

TEST(SecretFilter, HoldsBackWhatMayBeItsBeginning) {
  Filtering({"hunter2"}, [](SecretFilter& filter) {
    EXPECT_EQ(Apply(filter, "a hunt"), "a ");
    EXPECT_TRUE(filter.holds());
    EXPECT_EQ(Apply(filter, "ing"), "hunting");
    EXPECT_FALSE(filter.holds());
  });
}

TEST(SecretFilter, ReleasesAFewCharactersAsTheyAreAndHidesTheRest) {
  Filtering({"hunter2"}, [](SecretFilter& filter) {
    EXPECT_EQ(Apply(filter, "hun"), "");
    EXPECT_EQ(Text(filter.Release()), "hun");
    EXPECT_FALSE(filter.holds());
    EXPECT_EQ(Text(filter.Release()), "");
    EXPECT_EQ(Apply(filter, "ter2!"), "[secret]!");
    EXPECT_EQ(Apply(filter, "hun"), "");
    EXPECT_EQ(Text(filter.Release()), "hun");
    EXPECT_EQ(Apply(filter, "gry"), "gry");
  });
}

TEST(SecretFilter, ReleasesAMarkForMore) {
  Filtering({"hunter2"}, [](SecretFilter& filter) {
    EXPECT_EQ(Apply(filter, "hunt"), "");
    EXPECT_EQ(Text(filter.Release()), "[secret]");
    // One of its characters after the other.
    for (const char* next : {"e", "r"}) {
      EXPECT_EQ(Apply(filter, next), "");
      EXPECT_TRUE(filter.holds());
      EXPECT_EQ(Text(filter.Release()), "");
      EXPECT_FALSE(filter.holds());
    }
    EXPECT_EQ(Apply(filter, "2 done hunter2"), " done [secret]");
  });
}

TEST(SecretFilter, FindsTheLongestOfSeveral) {
  Filtering({"pass", "password", "swordfish"}, [](SecretFilter& filter) {
    EXPECT_EQ(Apply(filter, "pass passwort password passwordfish pass"),
              "[secret] [secret]wort [secret] [secret]fish ");
    EXPECT_EQ(Text(filter.Release()), "[secret]");
  });
}

TEST(SecretFilter, IsTheSameAsSearchingAllOfTheOutput) {
  std::mt19937 random(7);
  const auto text = [&random](size_t size) {
    std::string made(size, ' ');
    for (char& byte : made) byte = "ab"[random() % 2];
    return made;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> secrets;
    for (size_t i = 0; i < 1 + random() % 3; ++i) secrets.push_back(text(4 + random() % 5));
    const std::string output = text(random() % 200) + "\n";
    Filtering(secrets, [&](SecretFilter& filter) {
      std::string shown;
      for (size_t at = 0; at < output.size();) {
        const size_t size = 1 + random() % 20;
        shown += Apply(filter, output.substr(at, size));
        at += size;
      }
      EXPECT_EQ(shown, Replaced(output, secrets)) << output;
    });
  }
}

TEST(SecretFilter, TakesAFullReadOfNothingElse) {
  Filtering({"abcd"}, [](SecretFilter& filter) {
    std::string output;
    while (output.size() < SecretMemory::kMaxRead) output += "abcd";
    EXPECT_EQ(Apply(filter, "abc"), "");
    EXPECT_EQ(Apply(filter, output).size(), 3 + output.size() * 2);
  });
}

TEST(SecretFilter, LooksForNoShortOnes) {
  Filtering({}, [](SecretFilter& filter) {
    EXPECT_EQ(filter.Add("abc", 3), 0);
    EXPECT_FALSE(filter.is_armed());
    EXPECT_EQ(Apply(filter, "abc"), "abc");
  });
}

TEST(SecretFilter, RefusesMoreThanItHasRoomFor) {
  Filtering({}, [](SecretFilter& filter) {
    const std::string large(1024, 'x');
    EXPECT_EQ(filter.Add(large.data(), large.size()), 0);
    int error = 0;
    int count = 1;
    for (; error == 0 && count < 100; ++count) {
      EXPECT_EQ(filter.Add(large.data(), large.size()), 0) << "the same one takes no room";
      const std::string next = std::to_string(count) + large.substr(4);
      error = filter.Add(next.data(), next.size());
    }
    EXPECT_EQ(error, ENOBUFS);
    EXPECT_GT(count, 30);
    EXPECT_EQ(Apply(filter, large + "\n"), "[secret]\n");
    const std::string larger(1025, 'x');
    EXPECT_EQ(filter.Add(larger.data(), larger.size()), EMSGSIZE);
  });
}

TEST(SecretFilter, ForgetsThem) {
  Filtering({"hunter2"}, [](SecretFilter& filter) {
    Apply(filter, "hunter");
    filter.Forget();
    EXPECT_FALSE(filter.holds());
    EXPECT_EQ(Apply(filter, "hunter2"), "hunter2");
    const std::string all(reinterpret_cast<const char*>(GetSecretMemory()), sizeof(SecretMemory));
    EXPECT_EQ(all.find_first_not_of('\0'), std::string::npos);
  });
}

TEST(SecretMemory, IsInNoCoreFile) {
  Filtering({"hunter2"}, [](SecretFilter&) {
    EXPECT_EQ(prctl(PR_GET_DUMPABLE), 0);
    const auto address = reinterpret_cast<uintptr_t>(GetSecretMemory());
    std::ifstream maps("/proc/self/smaps");
    bool inside = false;
    bool found = false;
    for (std::string line; std::getline(maps, line);) {
      unsigned long begin = 0;
      unsigned long end = 0;
      if (sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) inside = begin <= address && address < end;
      if (inside && line.rfind("VmFlags:", 0) == 0) {
        found = true;
        EXPECT_NE(line.find(" dd"), std::string::npos) << line;
      }
    }
    EXPECT_TRUE(found);
  });
}

}  // namespace
}  // namespace bashward::supervisor
