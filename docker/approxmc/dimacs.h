// A DIMACS file, gzipped or not, read a line at a time; whoever reads it is told of its parts.

#pragma once

#include <zlib.h>

#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace dimacs {

using Numbers = std::vector<long>;

// What a file says, in its order: the header is told once, before any clause.
struct Listener {
    virtual ~Listener() = default;
    virtual void header(long variables) = 0;
    virtual void clause(const Numbers& literals) = 0;
    virtual void projection(const Numbers& variables) = 0;
};

class Reader {
    static constexpr long MOST = INT_MAX / 4;

    const std::string name;
    Listener& listener;
    gzFile file;
    std::string line;
    long number = 0, variables = -1, missing = 0;

    [[noreturn]] void fault(const std::string& what) const {
        const std::string place = number ? name + ":" + std::to_string(number) : name;
        throw std::runtime_error(place + ": " + what);
    }

    bool next() {
        line.clear();
        number++;
        int c, code = Z_OK;
        while ((c = gzgetc(file)) >= 0 && c != '\n') line += char(c);
        if (c < 0) gzerror(file, &code);
        if (code < 0) fault("cannot be read to its end");
        return c >= 0 || !line.empty();
    }

    static bool space(char c) { return std::isspace(static_cast<unsigned char>(c)); }

    static bool more(const char*& at) {
        while (space(*at)) at++;
        return *at;
    }

    // The words at the beginning of what is left, if they are there.
    static bool skip(const char*& at, const char* words) {
        const size_t length = std::strlen(words);
        const bool same = !std::strncmp(at, words, length);
        if (!same || (at[length] && !space(at[length]))) return false;
        at += length;
        return true;
    }

    long integer(const char*& at, long least, long most) const {
        char* end;
        errno = 0;
        const long value = std::strtol(at, &end, 10);
        if (end == at || (*end && !space(*end))) fault("an integer is missing");
        if (errno || value < least || value > most) fault("a number is out of range");
        at = end;
        return value;
    }

    void header(const char* at) {
        if (variables >= 0) fault("a second header");
        variables = integer(at, 0, MOST);
        missing = integer(at, 0, LONG_MAX);
        if (more(at)) fault("more than two numbers in the header");
        listener.header(variables);
    }

    void projection(const char* at) const {
        Numbers found;
        while (const long variable = integer(at, 0, MOST)) found.push_back(variable);
        listener.projection(found);
    }

    void literals(Numbers& open, const char* at) {
        while (more(at)) {
            if (variables < 0) fault("no header before the first clause");
            if (const long literal = integer(at, -variables, variables)) {
                open.push_back(literal);
                continue;
            }
            if (!missing--) fault("more clauses than the header says");
            listener.clause(open);
            open.clear();
        }
    }

public:
    Reader(const std::string& name, Listener& listener)
        : name(name == "-" ? "<stdin>" : name),
          listener(listener),
          file(name == "-" ? gzdopen(0, "rb") : gzopen(name.c_str(), "rb")) {
        if (!file) fault(std::strerror(errno));
        gzbuffer(file, 1 << 17);
    }
    ~Reader() { gzclose(file); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    void read() {
        Numbers open;
        while (next()) {
            const char* at = line.c_str();
            if (skip(at, "p cnf")) header(at);
            else if (!skip(at, "c")) literals(open, at);
            else if (skip(at, " ind") || skip(at, " p show")) projection(at);
        }
        if (variables < 0) fault("no header");
        if (!open.empty()) fault("the last clause does not end with 0");
        if (missing) fault("fewer clauses than the header says");
    }
};

}  // namespace dimacs
