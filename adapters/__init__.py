"""Adapters run solvers on formula files, check the answers, and decode models to boards.

They do not depend on the encodings that generated a file. The steps from a formula file to a
drawing, with the function of each::

    dimacs.reader.open_cnf                   file -> arrays of literals
    dimacs.header.read_header                comments -> board, variables, views, projection
    run_solver.run_solver                    solver and file -> answer that is not checked yet
    dimacs.model_check.first_false_clause    model -> first clause that it falsifies
    views.decoder.decode                     model -> solution: board and views
    rules.violations                         solution -> violations of the problem's rules
    rendering.text.solution_to_text          solution -> text
    rendering.svg.solution_to_svg            solution -> picture
"""
