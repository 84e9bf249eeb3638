// Program for ApproxMC, whose sdist on PyPI is a library: reads DIMACS, prints `s mc N`.

#include <getopt.h>

#include <iostream>

#include "approxmc.h"
#include "arjun.h"
#include "dimacs.h"

// Counter of the projected models of a formula.
class Counter : public dimacs::Listener {
    ArjunNS::Arjun arjun;
    ApproxMC::AppMC approxmc;
    bool projected = false, contradiction = false;
    std::vector<bool> counted, used;  // variables in the projection, and those in clauses

public:
    uint32_t cells = 0, doublings = 0;  // the result is cells * 2^doublings

    Counter(double epsilon, double delta, uint32_t seed, uint32_t verb) {
        arjun.set_verbosity(verb);
        arjun.set_seed(seed);
        // Arjun's search for empty occurrences aborts if it finds a variable twice.
        arjun.set_empty_occs_based(false);
        approxmc.set_verbosity(verb);
        approxmc.set_seed(seed);
        approxmc.set_epsilon(epsilon);
        approxmc.set_delta(delta);
    }

    void header(long variables) override {
        arjun.new_vars(variables);
        approxmc.new_vars(variables);
        used.resize(variables);
    }

    void clause(const dimacs::Numbers& literals) override {
        std::vector<CMSat::Lit> lits;
        for (const long literal : literals) {
            lits.emplace_back(std::labs(literal) - 1, literal < 0);
            used[lits.back().var()] = true;
        }
        contradiction |= lits.empty();
        arjun.add_clause(lits);
        approxmc.add_clause(lits);
    }

    void projection(const dimacs::Numbers& variables) override {
        projected = true;
        for (const size_t variable : variables) {
            if (variable > counted.size()) counted.resize(variable);
            counted[variable - 1] = true;
        }
    }

    void count() {
        if (counted.size() > used.size()) throw std::runtime_error("the projection has a variable beyond the header");
        counted.resize(used.size(), !projected);
        if (contradiction) return;
        std::vector<uint32_t> support;
        for (uint32_t variable = 0; variable < used.size(); variable++) {
            if (counted[variable] && used[variable]) support.push_back(variable);
            // A variable without clauses doubles the count, and needs no hash constraint.
            if (counted[variable] && !used[variable]) doublings++;
        }
        // Both libraries take an empty set for all variables.
        if (!support.empty()) {
            arjun.set_starting_sampling_set(support);
            support = arjun.get_indep_set();
        }
        if (support.empty()) {
            cells = approxmc.find_one_solution();
        } else {
            approxmc.set_projection_set(support);
            const ApproxMC::SolCount result = approxmc.count();
            cells = result.cellSolCount;
            doublings += result.hashCount;
        }
        if (!cells) doublings = 0;
    }
};

// The decimal digits of cells * 2^doublings.
static std::string decimal(uint32_t cells, uint32_t doublings) {
    std::string digits = std::to_string(cells);
    while (doublings--) {
        int carry = 0;
        for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
            const int twice = 2 * (*digit - '0') + carry;
            *digit = char('0' + twice % 10);
            carry = twice / 10;
        }
        if (carry) digits.insert(0, "1");
    }
    return digits;
}

// The number in an option; an exception if it is not between min and max.
static double number(const char* text, double min, double max) {
    char* end;
    const double value = std::strtod(text, &end);
    if (end == text || *end || !(value >= min && value <= max))
        throw std::runtime_error(std::string("an option must be a number from ") + std::to_string(min) +
                                 " to " + std::to_string(max) + " (got " + text + ")");
    return value;
}

static const char USAGE[] =
    "approxmc [--epsilon 0.8] [--delta 0.2] [--seed 1] [--verb 1] [FILE]\n"
    "Counts the models of a DIMACS file (or of standard input), plain or gzipped, over the variables\n"
    "of its `c ind` or `c p show` lines, or over all: within a factor of 1 + epsilon, with a probability\n"
    "of at least 1 - delta.\n";

static int run(int argc, char** argv) {
    double epsilon = 0.8, delta = 0.2;
    uint32_t seed = 1, verb = 1;
    const option options[] = {{"epsilon", required_argument, nullptr, 'e'},
                              {"delta", required_argument, nullptr, 'd'},
                              {"seed", required_argument, nullptr, 's'},
                              {"verb", required_argument, nullptr, 'v'},
                              {"version", no_argument, nullptr, 'V'},
                              {"help", no_argument, nullptr, 'h'},
                              {}};
    for (int c; (c = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        if (c == 'e') epsilon = number(optarg, 1e-3, 1e3);
        else if (c == 'd') delta = number(optarg, 1e-9, 1 - 1e-9);
        else if (c == 's') seed = uint32_t(number(optarg, 0, UINT32_MAX));
        else if (c == 'v') verb = uint32_t(number(optarg, 0, 10));
        else if (c == 'V') return std::cout << "approxmc " APPMC_FULL_VERSION "\n", 0;
        else if (c == 'h') return std::cout << USAGE, 0;
        else return 1;
    }
    if (argc > optind + 1) throw std::runtime_error("more than one file is given");
    Counter counter(epsilon, delta, seed, verb);
    dimacs::Reader(argc > optind ? argv[optind] : "-", counter).read();
    counter.count();
    std::cout << "c [appmc] Number of solutions is: " << counter.cells << "*2**" << counter.doublings
              << "\ns " << (counter.cells ? "SATISFIABLE" : "UNSATISFIABLE") << "\ns mc "
              << decimal(counter.cells, counter.doublings) << std::endl;
    return 0;
}

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "approxmc: " << error.what() << std::endl;
        return 1;
    }
}
