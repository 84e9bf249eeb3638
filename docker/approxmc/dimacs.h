// Reader of DIMACS files, plain or gzipped: passes header, clauses and projection to a listener.

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

// Receiver of the parts of a file, in the order of the file. The header precedes all clauses.
struct Listener {
    virtual ~Listener() = default;
    virtual void header(long variables) = 0;
    virtual void clause(const Numbers& literals) = 0;
    virtual void projection(const Numbers& variables) = 0;
};

class Reader {
    static constexpr long MAX_VARIABLE = INT_MAX / 4;

    const std::string name;
    Listener& listener;
    gzFile file;
    std::string line;
    long line_number = 0, variables = -1, missing_clauses = 0;

    [[noreturn]] void fault(const std::string& text) const {
        const std::string location = line_number ? name + ":" + std::to_string(line_number) : name;
        throw std::runtime_error(location + ": " + text);
    }

    // Read the next line; false at the end of the file.
    bool next() {
        line.clear();
        line_number++;
        int c, code = Z_OK;
        while ((c = gzgetc(file)) >= 0 && c != '\n') line += char(c);
        if (c < 0) gzerror(file, &code);
        if (code < 0) fault("the file cannot be read to its end");
        return c >= 0 || !line.empty();
    }

    static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }

    // Skip spaces; false at the end of the line.
    static bool more(const char*& at) {
        while (is_space(*at)) at++;
        return *at;
    }

    // Skip a keyword at the current position; false if it is not there.
    static bool skip(const char*& at, const char* keyword) {
        const size_t length = std::strlen(keyword);
        const bool same = !std::strncmp(at, keyword, length);
        if (!same || (at[length] && !is_space(at[length]))) return false;
        at += length;
        return true;
    }

    long integer(const char*& at, long min, long max) const {
        char* end;
        errno = 0;
        const long value = std::strtol(at, &end, 10);
        if (end == at || (*end && !is_space(*end))) fault("an integer is missing");
        if (errno || value < min || value > max) fault("a number is out of range");
        at = end;
        return value;
    }

    void header(const char* at) {
        if (variables >= 0) fault("there is a second header");
        variables = integer(at, 0, MAX_VARIABLE);
        missing_clauses = integer(at, 0, LONG_MAX);
        if (more(at)) fault("the header has more than two numbers");
        listener.header(variables);
    }

    void projection(const char* at) const {
        Numbers projected;
        while (const long variable = integer(at, 0, MAX_VARIABLE)) projected.push_back(variable);
        listener.projection(projected);
    }

    // Read literals of a line; a clause may extend over several lines.
    void literals(Numbers& open, const char* at) {
        while (more(at)) {
            if (variables < 0) fault("there is no header before the first clause");
            if (const long literal = integer(at, -variables, variables)) {
                open.push_back(literal);
                continue;
            }
            if (!missing_clauses--) fault("there are more clauses than the header declares");
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
        if (variables < 0) fault("there is no header");
        if (!open.empty()) fault("the last clause does not end with 0");
        if (missing_clauses) fault("there are fewer clauses than the header declares");
    }
};

}  // namespace dimacs
